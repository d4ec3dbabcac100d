import { useState } from 'react'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { IconNote } from '../../../../ui/icons.ts'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { conversationsApi } from '../contract.ts'
import { useAddNote } from './data.ts'
import './conversations.css'

/** A note for the office, with words of its own: what was typed for the customer is never saved as a note, nor a note sent. */
export const NoteForm = ({
  customerId,
  text,
  setText,
}: {
  customerId: string
  text: string
  setText: (text: string) => void
}) => {
  const add = useAddNote(customerId)
  const [wrong, setWrong] = useState<string>()
  const save = () => {
    if (text.trim() === '') return setWrong('Write the note first.')
    setWrong(undefined)
    add.mutate(text, { onSuccess: () => setText('') })
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
        <Button calls={conversationsApi.addNote} icon={<IconNote />} loading={add.isPending} onClick={save}>
          Save note
        </Button>
      </div>
      {add.isError ? <Banner tone="error">{add.error.message}</Banner> : null}
    </div>
  )
}
