import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import './FieldFrame.css'
import { IconSearch, IconX } from './icons.ts'
import './SearchInput.css'

type Props = {
  value: string
  /** After 200 ms of quiet, and at once on Enter or clear. */
  onChange: (value: string) => void
  label: string
  placeholder?: string
  /** Also focuses on the key "/". */
  slash?: boolean
}

export const SearchInput = ({ value, onChange, label, placeholder = label, slash }: Props) => {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const say = (next: string) => {
    sent.current = next
    onChange(next)
  }
  const saySoon = useDebouncedCallback(say, 200)
  useEffect(() => {
    // Only a change from outside (a saved view, Back) may replace what is being typed.
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    if (!slash) return
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || target.closest('input, textarea, select, [contenteditable]')) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [slash])
  const clear = () => {
    setText('')
    say('')
  }
  return (
    <search className="ui-input ui-search">
      <IconSearch className="ui-search__icon" size={17} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          saySoon(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') say(text)
          if (event.key === 'Escape' && text) {
            event.preventDefault()
            clear()
          }
        }}
      />
      {text ? (
        <button type="button" className="ui-input__button" aria-label="Clear the search" onClick={clear}>
          <IconX size={16} />
        </button>
      ) : null}
    </search>
  )
}
