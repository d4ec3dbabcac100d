import { useState } from 'react'
import { dayOf } from '../../../../shared/dates.ts'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconNote, IconTrash } from '../../../../ui/icons.ts'
import { LinkedText } from '../../web/LinkedText.tsx'
import { whenLabel } from '../../web/labels.ts'
import type { ConversationNote } from '../contract.ts'
import { useRemoveNote } from './data.ts'
import './conversations.css'

/** A note of the office between the messages: it does not look like one, so that nobody takes it for sent. */
export const NoteBubble = ({ note, timeZone }: { note: ConversationNote; timeZone: string }) => {
  const [asking, setAsking] = useState(false)
  const remove = useRemoveNote()
  return (
    <li className="bubble-note">
      <div className="bubble-note__head">
        <IconNote size={16} aria-hidden="true" />
        <b>Internal note</b>
        <span className="num">
          {[
            note.byName,
            whenLabel(note.createdAt, dayOf(new Date(), timeZone), dayOf(note.createdAt, timeZone), timeZone),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {note.can.remove ? (
          <IconButton
            size="s"
            kind="quiet"
            label="Delete this note"
            icon={<IconTrash size={16} />}
            tooltip={false}
            onClick={() => setAsking(true)}
          />
        ) : null}
      </div>
      <p>
        <LinkedText text={note.text} />
      </p>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete this note?"
        confirmLabel="Delete note"
        danger
        onConfirm={() => remove.mutateAsync(note.id)}
      >
        It is gone for everybody of the office.
      </ConfirmDialog>
    </li>
  )
}
