import { useState } from 'react'
import { ChoiceList } from '../../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { PhotoButton } from '../../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { persistStorage } from '../photo.ts'
import { undoMs } from '../UndoBar.tsx'
import { extraTexts } from './extraTexts.ts'
import { useShots } from './useShots.ts'
import './extras.css'

const mostShots = 3

const Form = ({ crew, stop, onClose }: { crew: Crew; stop: CrewStop; onClose: () => void }) => {
  const words = extraTexts(crew.language)
  const rule = crew.bundle?.extras?.overgrown
  const [stepId, setStepId] = useState<string | null>(rule?.steps.length === 1 ? (rule.steps[0]?.id ?? null) : null)
  const [note, setNote] = useState('')
  const [asked, setAsked] = useState(false)
  const [saving, setSaving] = useState(false)
  const { shots, urls, busy, take } = useShots(crew, mostShots)
  const save = async () => {
    setAsked(true)
    if (saving || stepId === null || shots.length === 0) return
    setSaving(true)
    try {
      persistStorage()
      const photoIds = shots.map(({ id }) => id)
      await crew.outbox.enqueue(
        {
          type: 'overgrown',
          visitId: stop.id,
          payload: { overgrown: { stepId, note: note.trim(), photoIds } },
          label: stop.street,
          holdMs: undoMs,
        },
        shots.map((shot) => ({ ...shot, visitId: stop.id, kind: 'before', label: stop.street })),
      )
      toast.success(words.saved)
      onClose()
    } catch {
      toast.error(crew.t.notSaved)
      setSaving(false)
    }
  }
  return (
    <>
      <ChoiceList
        label={words.howMuch}
        value={stepId}
        onChange={setStepId}
        choices={(rule?.steps ?? []).map(({ id, en, es }) => ({
          value: id,
          label: crew.language === 'es' && es ? es : en,
        }))}
      />
      {asked && stepId === null ? (
        <p className="f-input__error" role="alert">
          {words.pick}
        </p>
      ) : null}
      {urls.length > 0 ? (
        <ul className="c-shots">
          {urls.map((url, at) => (
            <li key={url}>
              <img src={url} alt={words.photoOf(at + 1)} />
            </li>
          ))}
        </ul>
      ) : null}
      {shots.length < mostShots ? (
        <PhotoButton busy={busy} onPhotos={(files) => void take(files)}>
          {shots.length > 0 ? words.another : words.photo}
        </PhotoButton>
      ) : null}
      {asked && shots.length === 0 ? (
        <p className="f-input__error" role="alert">
          {words.photoNeeded}
        </p>
      ) : null}
      <FieldInput label={words.note} value={note} onChange={setNote} lines={2} maxLength={500} />
      <div className="f-sheet__stay">
        <p className="muted">{rule?.asks ? words.asks : words.atOnce}</p>
        <FieldButton kind="main" busy={saving} onClick={() => void save()}>
          {words.save}
        </FieldButton>
      </div>
    </>
  )
}

/** How overgrown a lawn is, with a photo of it. No price is shown: the business has its own rule. */
export const OvergrownSheet = ({
  crew,
  stop,
  open,
  onClose,
}: {
  crew: Crew
  stop: CrewStop
  open: boolean
  onClose: () => void
}) => (
  <Sheet open={open} onClose={onClose} title={extraTexts(crew.language).title(stop.street)} closeLabel={crew.t.close}>
    {open ? <Form crew={crew} stop={stop} onClose={onClose} /> : null}
  </Sheet>
)
