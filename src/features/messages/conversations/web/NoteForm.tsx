import { useState } from 'react'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { IconNote } from '../../../../ui/icons.ts'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { numberConversationsApi } from '../../numbers/contract.ts'
import { conversationsApi } from '../contract.ts'
import type { useAddNote } from './data.ts'
import './conversations.css'

/**
 * A note for the office, with words of its own: what was typed for the customer is never saved as a note, nor a note sent. `add` is the composer's,
 * which is there also when this is left before the note is saved.
 */
export const NoteForm = ({
  ofNumber = false,
  add,
  text,
  setText,
  onSave,
}: {
  /** In the conversation with a number that nobody knows. */
  ofNumber?: boolean
  add: ReturnType<typeof useAddNote>
  text: string
  setText: (text: string) => void
  onSave: (text: string) => void
}) => {
  const [wrong, setWrong] = useState<string>()
  const save = () => {
    if (text.trim() === '') return setWrong('Write the note first.')
    setWrong(undefined)
    onSave(text)
  }
  return (
    <div className="note-form">
      <TextAreaField
        label="Internal note"
        hideLabel
        rows={2}
        maxLength={4000}
        placeholder="Write a note for the office"
        value={text}
        onChange={setText}
        error={wrong}
      />
      <div className="composer__foot">
        <span className="hint">Only your office sees it. It is never sent.</span>
        <Button
          calls={ofNumber ? numberConversationsApi.addNote : conversationsApi.addNote}
          icon={<IconNote />}
          loading={add.isPending}
          onClick={save}
        >
          Save note
        </Button>
      </div>
      {add.isError ? <Banner tone="error">{add.error.message}</Banner> : null}
    </div>
  )
}
