import { useState } from 'react'

/**
 * Puts the cursor where something typed cannot be read; saving would quietly take it for nothing.
 * @returns whether there is such a field, so that nothing may be sent
 */
export const focusUnread = (within: HTMLElement | null): boolean => {
  const field = within?.querySelector<HTMLElement>('[data-unread]')
  // Nothing in a closed part of a form can be reached.
  for (let part = field?.closest('details'); part; part = part.parentElement?.closest('details')) part.open = true
  // A field that is sent with Enter was never left, and says what is wrong only then.
  field?.blur()
  field?.focus()
  return field != null
}

/**
 * Lets a person type freely into a field whose value is not text: the text is theirs until they leave the field,
 * then it is written out the way we write it. Text that means nothing stays to be put right and gives null.
 */
export const useTyped = <V>(
  value: V | null,
  write: (value: V | null) => string,
  read: (text: string) => V | null,
  onChange: (value: V | null, unread: boolean) => void,
  onBlur?: () => void,
) => {
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const unread = typed !== null && typed.trim() !== '' && read(typed) === null
  return {
    text: typed ?? write(value),
    /** True when what stands there cannot be read. */
    unread,
    /** True once the person went on from it. */
    left,
    type: (text: string) => {
      setTyped(text)
      setLeft(false)
      const next = text.trim() === '' ? null : read(text)
      onChange(next, next === null && text.trim() !== '')
    },
    leave: () => {
      if (!unread) setTyped(null)
      setLeft(true)
      onBlur?.()
    },
    set: (next: V | null) => {
      setTyped(null)
      onChange(next, false)
    },
  }
}
