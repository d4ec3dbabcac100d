import { useLayoutEffect, useRef, useState } from 'react'

type Span = { from: number; to: number }

/** What is being written, with its caret: what is put in by a press stands where the caret was, and the caret goes where somebody writes on. */
/** @param begun what stands there at first */
export const useWords = (begun = '') => {
  const [text, setText] = useState(begun)
  const field = useRef<HTMLTextAreaElement>(null)
  const next = useRef<Span | null>(null)
  useLayoutEffect(() => {
    const span = next.current
    if (!span || !field.current) return
    next.current = null
    field.current.focus()
    field.current.setSelectionRange(span.from, span.to)
  })
  return {
    text,
    setText,
    field,
    /** Where the caret stands; the end while the field has never been in use. */
    caret: (): Span => {
      const at = field.current
      return at ? { from: at.selectionStart, to: at.selectionEnd } : { from: text.length, to: text.length }
    },
    /** New words, with what of them is chosen. */
    put: (words: string, span: Span) => {
      next.current = span
      setText(words)
    },
    /** Chooses a part of what stands there. */
    select: (span: Span) => {
      field.current?.focus()
      field.current?.setSelectionRange(span.from, span.to)
    },
  }
}
export type Words = ReturnType<typeof useWords>
