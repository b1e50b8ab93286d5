package dynamic

import (
	"errors"
	"fmt"

	"go.starlark.net/syntax"
)

// Starlark bounds how many steps a program takes, and not what one step may
// make: "x" * 1000000000 is one. So before a script is compiled, each operation
// that can make something large is turned into a call of a function of ours
// (see charge.go) that first counts what it will take. The names of these
// functions have a space in front, so that no script can name them.

const (
	nameBinary = " binary" // (operator, x, y)
	nameAdd    = " add"    // x += y
	nameCall   = " call"   // (function, arguments…)
	nameCharge = " charge" // (x): x, counted
)

// rewriter walks a script's syntax tree. err is the first thing that can't be
// rewritten.
type rewriter struct{ err error }

func (r *rewriter) fail(at syntax.Position, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %w", at, fmt.Errorf(format, args...))
	}
}

func rewrite(f *syntax.File) error {
	r := &rewriter{}
	r.stmts(f.Stmts)
	return r.err
}

func (r *rewriter) stmts(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			r.assign(s)
		case *syntax.DefStmt:
			r.params(s.Params)
			r.stmts(s.Body)
		case *syntax.ExprStmt:
			s.X = r.expr(s.X)
		case *syntax.IfStmt:
			s.Cond = r.expr(s.Cond)
			r.stmts(s.True)
			r.stmts(s.False)
		case *syntax.ForStmt:
			s.X = r.expr(s.X)
			r.stmts(s.Body)
		case *syntax.WhileStmt:
			s.Cond = r.expr(s.Cond)
			r.stmts(s.Body)
		case *syntax.ReturnStmt:
			if s.Result != nil {
				s.Result = r.expr(s.Result)
			}
		case *syntax.LoadStmt:
			r.fail(s.Load, "a script can't load files")
		}
	}
}

// assign rewrites x = y, and x += y to x = f(x, y). The target is then looked
// at twice, so it must be one that can be.
func (r *rewriter) assign(s *syntax.AssignStmt) {
	s.RHS = r.expr(s.RHS)
	if s.Op == syntax.EQ {
		s.LHS = r.target(s.LHS)
		return
	}
	if !simple(s.LHS) {
		r.fail(s.OpPos, "%s works on names, fields and elements that are named plainly; write x = x + y", s.Op)
		return
	}
	at := s.OpPos
	if s.Op == syntax.PLUS_EQ || s.Op == syntax.PIPE_EQ {
		s.RHS = ours(nameAdd, at, operator(s.Op, at), s.LHS, s.RHS)
	} else {
		s.RHS = ours(nameBinary, at, operator(s.Op, at), s.LHS, s.RHS)
	}
	s.Op = syntax.EQ
}

// plain operators of the assigning ones.
var plainOperator = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR,
	syntax.SLASH_EQ: syntax.SLASH, syntax.SLASHSLASH_EQ: syntax.SLASHSLASH, syntax.PERCENT_EQ: syntax.PERCENT,
	syntax.AMP_EQ: syntax.AMP, syntax.PIPE_EQ: syntax.PIPE, syntax.CIRCUMFLEX_EQ: syntax.CIRCUMFLEX,
	syntax.LTLT_EQ: syntax.LTLT, syntax.GTGT_EQ: syntax.GTGT,
}

func operator(op syntax.Token, at syntax.Position) syntax.Expr {
	if p, ok := plainOperator[op]; ok {
		op = p
	}
	return &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: "0", Value: int64(op)}
}

func ours(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

// simple says whether looking at an expression twice is the same as once.
func simple(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Ident, *syntax.Literal:
		return true
	case *syntax.DotExpr:
		return simple(e.X)
	case *syntax.IndexExpr:
		return simple(e.X) && simple(e.Y)
	case *syntax.ParenExpr:
		return simple(e.X)
	}
	return false
}

// target rewrites what is inside the target of an assignment.
func (r *rewriter) target(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
	case *syntax.ParenExpr:
		e.X = r.target(e.X)
	case *syntax.TupleExpr:
		for i := range e.List {
			e.List[i] = r.target(e.List[i])
		}
	case *syntax.ListExpr:
		for i := range e.List {
			e.List[i] = r.target(e.List[i])
		}
	}
	return e
}

func (r *rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = r.expr(b.Y) // the default of a parameter
		}
	}
}

func (r *rewriter) list(list []syntax.Expr) {
	for i := range list {
		list[i] = r.expr(list[i])
	}
}

// growing are the operators whose result can be larger than a step.
var growing = map[syntax.Token]bool{
	syntax.PLUS: true, syntax.STAR: true, syntax.PERCENT: true, syntax.PIPE: true, syntax.AMP: true,
	syntax.CIRCUMFLEX: true, syntax.MINUS: true, syntax.LTLT: true,
}

func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case *syntax.Ident, *syntax.Literal:
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.CallExpr:
		return r.call(e)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
	case *syntax.Comprehension:
		r.comprehension(e)
	case *syntax.DictExpr:
		r.list(e.List)
	case *syntax.DictEntry:
		e.Key, e.Value = r.expr(e.Key), r.expr(e.Value)
	case *syntax.LambdaExpr:
		r.params(e.Params)
		e.Body = r.expr(e.Body)
	case *syntax.ListExpr:
		r.list(e.List)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.TupleExpr:
		r.list(e.List)
		// A tuple of tuples of tuples is hashed leaf by leaf, however few
		// tuples there are.
		start, _ := e.Span()
		return ours(nameCharge, start, e)
	case *syntax.UnaryExpr:
		if e.X != nil {
			e.X = r.expr(e.X)
		}
	case *syntax.BinaryExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
		if growing[e.Op] {
			return ours(nameBinary, e.OpPos, operator(e.Op, e.OpPos), e.X, e.Y)
		}
	case *syntax.SliceExpr:
		start, _ := e.Span()
		e.X = ours(nameCharge, start, r.expr(e.X))
		e.Lo, e.Hi, e.Step = r.maybe(e.Lo), r.maybe(e.Hi), r.maybe(e.Step)
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	default:
		start, _ := e.Span()
		r.fail(start, "%T is not known here", e)
	}
	return e
}

func (r *rewriter) maybe(e syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	return r.expr(e)
}

// call rewrites f(a, k=b) to " call"(f, a, k=b).
func (r *rewriter) call(e *syntax.CallExpr) syntax.Expr {
	args := []syntax.Expr{r.expr(e.Fn)}
	for _, a := range e.Args {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				a.Y = r.expr(a.Y)
				args = append(args, a)
				continue
			}
			args = append(args, r.expr(a))
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				a.X = ours(nameCharge, a.OpPos, r.expr(a.X))
				args = append(args, a)
				continue
			}
			args = append(args, r.expr(a))
		default:
			args = append(args, r.expr(a))
		}
	}
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: e.Lparen, Name: nameCall}, Lparen: e.Lparen, Args: args, Rparen: e.Rparen}
}

func (r *rewriter) comprehension(e *syntax.Comprehension) {
	e.Body = r.expr(e.Body)
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			c.X = r.expr(c.X)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
}

var errMemory = errors.New("it makes more than the memory that a script may use")
