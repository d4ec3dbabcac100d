import { useState } from 'react'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import type { CrewStop } from '../contract.ts'
import type { Texts } from './texts.ts'

type Props = { t: Texts; stop: CrewStop | null; onClose: () => void; onSave: (stop: CrewStop, note: string) => void }

const Form = ({ t, stop, onSave }: { t: Texts; stop: CrewStop; onSave: Props['onSave'] }) => {
  const [note, setNote] = useState('')
  return (
    <>
      {stop.note ? <p className="muted">{stop.note}</p> : null}
      <FieldInput label={t.noteLabel} value={note} onChange={setNote} lines={4} maxLength={2000} />
      <FieldButton kind="main" disabled={note.trim() === ''} onClick={() => onSave(stop, note.trim())}>
        {t.saveNote}
      </FieldButton>
    </>
  )
}

/** Something that the office should know of a stop. */
export const NoteSheet = ({ t, stop, onClose, onSave }: Props) => (
  <Sheet open={stop !== null} onClose={onClose} title={stop ? t.noteTitle(stop.street) : ''} closeLabel={t.close}>
    {stop ? <Form key={stop.id} t={t} stop={stop} onSave={onSave} /> : null}
  </Sheet>
)
