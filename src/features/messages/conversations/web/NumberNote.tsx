import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { IconNote } from '../../../../ui/icons.ts'
import { useMay } from '../../../accounts/web/session.ts'
import { numberConversationsApi } from '../../numbers/contract.ts'
import { restAfter } from '../../web/typed.ts'
import { useAddNote } from './data.ts'
import { NoteForm } from './NoteForm.tsx'

/** A note for the office in the conversation with a number that nobody knows: nothing is written to it from here, and something may be to be said of it. */
export const NumberNote = ({ address }: { address: string }) => {
  const may = useMay()
  const add = useAddNote(address)
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  if (!may(numberConversationsApi.addNote)) return null
  if (!open)
    return (
      <span>
        <Button size="s" calls={numberConversationsApi.addNote} icon={<IconNote />} onClick={() => setOpen(true)}>
          Add internal note
        </Button>
      </span>
    )
  return (
    <NoteForm
      ofNumber
      add={add}
      text={text}
      setText={setText}
      onSave={(saved) =>
        add.mutate(saved, {
          onSuccess: () => {
            setText((now) => restAfter(now, saved))
            setOpen(false)
          },
        })
      }
    />
  )
}
