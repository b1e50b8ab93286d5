// Package sqlfile opens a SQLite file the way Reverie keeps what people trust
// it with: private, durable, shared by several processes, and honest about
// whatever is wrong with it.
//
// What holds for every file opened here:
//
//   - The folder has mode 0700, the file and those SQLite puts beside it 0600.
//     Wider ones are mended, with a warning. A symbolic link in place of the
//     folder or of a file is refused. A .gitignore keeps the database out of
//     repositories that cover the folder.
//   - Write-ahead log, synchronous=FULL: what [DB.Write] acknowledged survives
//     a killed process and power loss. secure_delete is on from the first
//     byte, so that freed pages hold no old text.
//   - Writing takes the lock at the start (BEGIN IMMEDIATE) and waits for other
//     processes up to [BusyTimeout]; reading never waits for writing.
//   - The schema goes forward only, in one transaction. A file with a schema
//     newer than the caller's can be read and not written.
//   - Whatever makes a file unusable is a [StateError] that names the file, the
//     reason and what to do. Nothing is overwritten or recreated over it.
//
// A process must not open and close the database file by other means while it
// has it open here: on Unix, closing any descriptor of a file drops the locks
// that the process holds on it.
//
// The package knows nothing of what is stored.
package sqlfile
