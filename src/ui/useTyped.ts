import { useState } from 'react'

/**
 * Lets a person type freely into a field whose value is not text: the text is theirs until they leave the field,
 * then it is written out the way we write it. Text that means nothing stays to be put right and gives null.
 */
export const useTyped = <V>(
  value: V | null,
  write: (value: V | null) => string,
  read: (text: string) => V | null,
  onChange: (value: V | null) => void,
  onBlur?: () => void,
) => {
  const [typed, setTyped] = useState<string | null>(null)
  const unread = typed !== null && typed.trim() !== '' && read(typed) === null
  return {
    text: typed ?? write(value),
    /** True when what stands there cannot be read. */
    unread,
    type: (text: string) => {
      setTyped(text)
      onChange(text.trim() === '' ? null : read(text))
    },
    leave: () => {
      if (!unread) setTyped(null)
      onBlur?.()
    },
    set: (next: V | null) => {
      setTyped(null)
      onChange(next)
    },
  }
}
