import { useState } from 'react'
import { ChoiceList } from '../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { type SkipReason, skipNeedsNote, skipReasons } from '../../visits/rules.ts'
import type { CrewStop } from '../contract.ts'
import type { Texts } from './texts.ts'

type Props = {
  t: Texts
  stop: CrewStop | null
  onClose: () => void
  onSkip: (stop: CrewStop, reason: SkipReason, note: string) => void
}

const Form = ({ t, stop, onSkip }: { t: Texts; stop: CrewStop; onSkip: Props['onSkip'] }) => {
  const [reason, setReason] = useState<SkipReason | null>(null)
  const [note, setNote] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = reason !== null && skipNeedsNote(reason) && note.trim() === ''
  return (
    <>
      <ChoiceList
        label={<span className="ui-hidden">{t.whySkip(stop.street)}</span>}
        choices={skipReasons.map((value) => ({ value, label: t.skipReasons[value] }))}
        value={reason}
        onChange={setReason}
      />
      {reason ? (
        <FieldInput
          label={t.skipNote}
          hint={t.skipNoteHint}
          error={asked && missing ? t.skipNoteNeeded : undefined}
          value={note}
          onChange={setNote}
          lines={2}
          maxLength={500}
        />
      ) : null}
      <FieldButton
        kind="danger"
        disabled={reason === null}
        onClick={() => {
          setAsked(true)
          if (reason && !missing) onSkip(stop, reason, note.trim())
        }}
      >
        {t.skipThis}
      </FieldButton>
    </>
  )
}

/** Why a stop is skipped: big reasons, and words where a reason has none. */
export const SkipSheet = ({ t, stop, onClose, onSkip }: Props) => (
  <Sheet open={stop !== null} onClose={onClose} title={stop ? t.whySkip(stop.street) : ''} closeLabel={t.close}>
    {stop ? <Form key={stop.id} t={t} stop={stop} onSkip={onSkip} /> : null}
  </Sheet>
)
