import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Visit, visitsApi } from '../contract.ts'
import { customerPartLabels, customerParts, longestNote, type NoteField } from '../notes/rules.ts'
import { isTerminal } from '../rules.ts'
import { useUndoableDeed } from './data.ts'

/** A note that is shown, and typed when it is asked for. */
export const NoteEditor = ({
  label,
  hint,
  text,
  calls,
  maxLength,
  onSave,
}: {
  label: string
  hint: string
  text: string
  /** The endpoint that saves it; null for who only reads. */
  calls: (typeof visitsApi)['note'] | null
  maxLength: number
  onSave: (text: string) => Promise<unknown>
}) => {
  const [typed, setTyped] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await onSave((typed ?? '').trim())
      setTyped(null)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  if (typed === null)
    return (
      <div className="visit-note-row">
        <span>
          <b>{label}</b>
          {text ? <span className="visit-note-row__text">{text}</span> : <span className="muted">None</span>}
        </span>
        {calls ? (
          <Button size="s" calls={calls} onClick={() => setTyped(text)}>
            {text ? 'Change' : 'Write one'}
          </Button>
        ) : null}
      </div>
    )
  return (
    <div className="visit-note-edit">
      <TextAreaField label={label} hint={hint} rows={2} maxLength={maxLength} value={typed} onChange={setTyped} />
      <div className="visit-note-edit__acts">
        <Button size="s" kind="primary" loading={busy} onClick={() => void save()}>
          Save the note
        </Button>
        <Button size="s" onClick={() => setTyped(null)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** What the crew reads at this stop: once, and every time. */
export const VisitNotes = ({ visit, jobNote }: { visit: Visit; jobNote: ReactNode }) => {
  const { act } = useUndoableDeed()
  const over = isTerminal(visit.status)
  return (
    <section className="visit-part">
      <h3>Notes for the crew</h3>
      {over && !visit.officeNote ? null : (
        <NoteEditor
          label={over ? 'Was for this visit' : 'This visit only'}
          hint="On the crew's phones at this stop; the next visit does not have it."
          text={visit.officeNote}
          calls={over ? null : visitsApi.note}
          maxLength={1000}
          onSave={(note) =>
            act({ deed: 'note', visit, body: { note } }, () => (note ? 'The crew will read it' : 'The note is gone'))
          }
        />
      )}
      {jobNote ?? (visit.job.instructions ? <p className="visit-note-row__text">{visit.job.instructions}</p> : null)}
    </section>
  )
}

/** What the crew said of this visit: to the office, to the customer, and for whoever comes next. The office puts right what others read. */
export const CrewWords = ({ visit }: { visit: Visit }) => {
  const { act } = useUndoableDeed()
  const { note, customerNote, nextNote } = visit
  const said = { saw: visit.sawNote, did: visit.didNote, expect: visit.expectNote }
  const forCustomer = customerNote || customerParts.some((part) => said[part])
  if (!note && !forCustomer && !nextNote && !isTerminal(visit.status)) return null
  const editor = (field: NoteField, label: string, hint: string, text: string) => (
    <NoteEditor
      key={field}
      label={label}
      hint={hint}
      text={text}
      calls={visitsApi.note}
      maxLength={longestNote}
      onSave={(typed) =>
        act({ deed: 'note', visit, body: { [field]: typed } }, () =>
          field === 'nextNote'
            ? typed
              ? 'The next crew reads it'
              : 'The note is gone'
            : typed
              ? 'The customer reads it so'
              : 'The customer does not read it any more',
        )
      }
    />
  )
  return (
    <section className="visit-part">
      <h3>What the crew said</h3>
      {note ? (
        <div className="visit-note-row">
          <span>
            <b>To the office</b>
            <span className="visit-note-row__text">{note}</span>
          </span>
        </div>
      ) : null}
      {customerNote
        ? editor('customerNote', 'To the customer', 'On the page of the visit and with the invoice.', customerNote)
        : null}
      {customerParts.map((part) =>
        editor(
          `${part}Note`,
          `To the customer: ${customerPartLabels.en[part].toLowerCase()}`,
          'On the page of the visit and with the invoice, below these words in the customer’s language.',
          said[part],
        ),
      )}
      {editor('nextNote', 'For next time', 'The crew of the next visit here reads it.', nextNote)}
    </section>
  )
}

/** What was to be ticked, and what was not. */
export const VisitChecklist = ({ visit }: { visit: Visit }) =>
  visit.checklist.length === 0 ? null : (
    <section className="visit-part">
      <h3>
        Checklist{' '}
        <span className="hint num">
          {visit.checklist.filter((item) => visit.checked.includes(item.text)).length} of {visit.checklist.length}
        </span>
      </h3>
      <ul className="visit-rows">
        {visit.checklist.map(({ text, required }) => {
          const done = visit.checked.includes(text)
          return (
            <li key={text}>
              <span>
                <span>{text}</span>
                {required ? <span className="hint">required</span> : null}
              </span>
              <span className={done ? 'hint' : 'muted'}>{done ? '✓ ticked' : 'not ticked'}</span>
            </li>
          )
        })}
      </ul>
      {visit.untickedReason ? <p>Finished without: “{visit.untickedReason}”</p> : null}
    </section>
  )
