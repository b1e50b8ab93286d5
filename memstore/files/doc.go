// Package files keeps memories as Markdown files that people read, edit,
// delete, commit and share.
//
// An entry's file is its key with ".md", with folders for "/". It has YAML
// frontmatter (name, description, kind, updated), a blank line and the value.
// [Parse] and [Render] are the one reader and the one writer of that format.
//
// There are two ways to use such a folder. A [Store] is a memory without
// history whose files are all there is. A [Mirror] keeps a folder and a
// versioned store in step, in both directions. [ReadFolder] reads what other
// programs left, to be taken over.
//
// The package decides what a file means and when it may be replaced. What may
// be saved at all is memstore's to say, whether a folder is used at all the
// caller's.
package files
