// The documents of the languages. Generated from their descriptors; do not edit.

/** Language identifiers of the documents that adebug can run. */
export const LANGUAGES = ['python', 'erlang', 'haskell'];

/** Documents of the language server; by suffix where extensions may name the language differently. */
export const DOCUMENTS = [
  { scheme: 'file', language: 'python' },
  { scheme: 'file', pattern: '**/*.{erl,hrl}' },
  { scheme: 'file', language: 'haskell' },
];
