import { useState } from 'react'
import type { Day } from '../../../../shared/dates.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import { shrinkPhoto } from '../../../../ui/shrinkPhoto.ts'
import { toast } from '../../../../ui/toast.tsx'
import type { CrewCheck } from '../../../equipment/checks/contract.ts'
import { mostDefectPhotos } from '../../../equipment/checks/rules.ts'
import { readingText } from '../../../equipment/rules.ts'
import { commandOf, type Defect, type Line, linesFor, meterQuestion, openLines, tenthsOf } from '../../check/rules.ts'
import type { Crew } from '../data.ts'
import { hasRoom, persistStorage } from '../photo.ts'
import { CheckPoint } from './CheckPoint.tsx'
import type { CheckTexts } from './checkTexts.ts'
import { noteDone, useDraft } from './draft.ts'

type Props = { crew: Crew; check: CrewCheck; words: CheckTexts; draftKey: string; onClose: () => void }

const Meter = ({
  words,
  piece,
  today,
  value,
  onChange,
}: {
  words: CheckTexts
  piece: CrewCheck['equipment'][number]
  today: Day
  value: string
  onChange: (text: string) => void
}) => {
  if (piece.meter === null) return null
  const last = piece.tenths === null ? null : readingText(piece.tenths, piece.meter)
  const question = meterQuestion(value, piece, today)
  return (
    <FieldInput
      label={words.meter[piece.meter]}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={onChange}
      hint={last ? words.last(last) : undefined}
      error={question === null ? undefined : question === 'notANumber' ? words.notANumber : words[question](last ?? '')}
      maxLength={12}
    />
  )
}

const Form = ({ crew, check, words, draftKey, onClose }: Props) => {
  const [draft, change] = useDraft(draftKey)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const { t, language } = crew
  const lines = linesFor(check)
  const open = openLines(check, draft)
  const wordsOf = (line: Line) => (language === 'es' && line.es ? line.es : line.en)
  const answer = (key: string, given: true | Defect) =>
    change((now) => ({ ...now, answers: { ...now.answers, [key]: given } }))
  const addPhotos = async (key: string, files: File[]) => {
    if (!(await hasRoom())) return void toast.error(t.noRoom)
    for (const file of files) {
      const photo = {
        id: crypto.randomUUID(),
        blob: await shrinkPhoto(file),
        takenAt: new Date(file.lastModified || Date.now()).toISOString(),
      }
      change((now) => {
        const known = now.answers[key]
        if (!known || known === true || known.photos.length >= mostDefectPhotos) return now
        return { ...now, answers: { ...now.answers, [key]: { ...known, photos: [...known.photos, photo] } } }
      })
    }
  }
  const defects = lines.flatMap((line) => {
    const given = draft.answers[line.key]
    return given && given !== true ? [{ line, defect: given }] : []
  })
  const send = async () => {
    setAsked(true)
    const meterWrong = check.equipment.some(({ id, meter }) => {
      const typed = draft.meters[id]?.trim() ?? ''
      return meter !== null && typed !== '' && tenthsOf(typed) === null
    })
    if (busy || open.length > 0 || meterWrong || defects.some(({ defect }) => defect.note.trim() === '')) return
    setBusy(true)
    try {
      persistStorage()
      await crew.outbox.enqueue(
        { type: 'truck_check', payload: { truckCheck: commandOf(check, draft) }, label: '' },
        defects.flatMap(({ line, defect }) =>
          defect.photos.map((photo) => ({ ...photo, visitId: defect.id, kind: 'defect', label: wordsOf(line) })),
        ),
      )
      noteDone(draftKey)
      toast.success(words.saved)
      onClose()
    } catch {
      toast.error(t.notSaved)
      setBusy(false)
    }
  }
  const points = (equipmentId: string | null) =>
    lines
      .filter((line) => line.equipmentId === equipmentId)
      .map((line) => (
        <CheckPoint
          key={line.key}
          words={words}
          label={wordsOf(line)}
          answer={draft.answers[line.key]}
          asked={asked}
          onAnswer={(given) => answer(line.key, given)}
          onPhotos={(files) => void addPhotos(line.key, files)}
        />
      ))
  const ofCrew = points(null)
  return (
    <>
      {check.equipment.map((piece) => (
        <section key={piece.id} className="c-piece" aria-label={piece.name}>
          <h3>{piece.name}</h3>
          {piece.out === null ? null : <Alert tone="danger">{words.outHere(piece.out)}</Alert>}
          <Meter
            words={words}
            piece={piece}
            today={crew.today}
            value={draft.meters[piece.id] ?? ''}
            onChange={(text) => change((now) => ({ ...now, meters: { ...now.meters, [piece.id]: text } }))}
          />
          {points(piece.id)}
        </section>
      ))}
      {ofCrew.length > 0 ? (
        <section className="c-piece" aria-label={words.forCrew}>
          <h3>{words.forCrew}</h3>
          {ofCrew}
        </section>
      ) : null}
      {open.length > 0 ? (
        <FieldButton
          onClick={() =>
            change((now) => ({
              ...now,
              answers: { ...Object.fromEntries(open.map(({ key }) => [key, true as const])), ...now.answers },
            }))
          }
        >
          {words.restOk}
        </FieldButton>
      ) : null}
      <div className="f-sheet__stay">
        {asked && open.length > 0 ? (
          <p className="f-input__error" role="alert">
            {words.left(open.length)}
          </p>
        ) : null}
        <FieldButton kind="main" busy={busy} onClick={() => void send()}>
          {words.send}
        </FieldButton>
      </div>
    </>
  )
}

/** The look at the truck: each piece with its meter and points. Works the same with and without a signal. */
export const CheckSheet = ({ open, ...props }: Props & { open: boolean }) => (
  <Sheet open={open} onClose={props.onClose} title={props.words.title} closeLabel={props.crew.t.close}>
    {open ? <Form {...props} /> : null}
  </Sheet>
)
