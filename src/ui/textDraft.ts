import { useState } from 'react'

const prefix = 'swath.draft.'

const readDraft = (key: string): string => {
  try {
    return localStorage.getItem(prefix + key) ?? ''
  } catch {
    return ''
  }
}

const writeDraft = (key: string, text: string): void => {
  try {
    if (text) localStorage.setItem(prefix + key, text)
    else localStorage.removeItem(prefix + key)
  } catch {
    // a private window: what is typed lasts as long as the screen
  }
}

/** A text that is typed and not sent: it is there again after another screen, a reload or a kill. `key` names the person too. */
export const useTextDraft = (key: string): [text: string, type: (text: string) => void] => {
  const [held, setHeld] = useState({ key, text: readDraft(key) })
  const now = held.key === key ? held : { key, text: readDraft(key) }
  if (now !== held) setHeld(now)
  return [
    now.text,
    (text) => {
      writeDraft(key, text)
      setHeld({ key, text })
    },
  ]
}
