import { useState } from 'react'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import { languageOf, phraseIn, phrasesOf, withPhrase } from '../../../stops/rules.ts'
import { longestNote, type NotePart, noteParts } from '../../../visits/notes/rules.ts'
import type { CrewStop } from '../../contract.ts'
import type { CommandPayload } from '../../rules.ts'
import type { Crew } from '../data.ts'
import { wordsTexts } from './wordsTexts.ts'
import './words.css'

type Words = Record<NotePart, string>

/** What was typed and not saved, until the app is closed: a sheet that a thumb closed loses nothing. */
const drafts = new Map<string, { words: Words; was: Words }>()

const wordsOf = (stop: CrewStop): Words => ({
  customer: stop.customerNote ?? '',
  office: '',
  next: stop.nextNote ?? '',
})

const payloadOf = (words: Words, was: Words): CommandPayload => ({
  ...(words.office.trim() ? { note: words.office.trim() } : {}),
  ...(words.customer.trim() !== was.customer
    ? { customerNote: { was: was.customer, text: words.customer.trim() } }
    : {}),
  ...(words.next.trim() !== was.next ? { nextNote: { was: was.next, text: words.next.trim() } } : {}),
})

type Props = {
  crew: Crew
  stop: CrewStop | null
  onClose: () => void
  onSave: (stop: CrewStop, payload: CommandPayload) => void
}

const Form = ({ crew, stop, onSave }: { crew: Crew; stop: CrewStop; onSave: Props['onSave'] }) => {
  const words = wordsTexts[crew.language]
  const [{ words: typed, was }, setDraft] = useState(
    () => drafts.get(stop.id) ?? { words: wordsOf(stop), was: wordsOf(stop) },
  )
  const [asked, setAsked] = useState(false)
  const change = (part: NotePart, text: string) => {
    const next = { words: { ...typed, [part]: text }, was }
    drafts.set(stop.id, next)
    setDraft(next)
  }
  const languages = { customer: stop.customerLanguage ?? 'en', crew: crew.language } as const
  const payload = payloadOf(typed, was)
  const isEmpty = Object.keys(payload).length === 0
  return (
    <div className="c-stack">
      {noteParts.map((part) => (
        <section key={part} className="c-words">
          <FieldInput
            label={words.parts[part]}
            hint={part === 'customer' && languages.customer === 'es' ? words.hints.customerEs : words.hints[part]}
            value={typed[part]}
            onChange={(text) => change(part, text)}
            error={asked && isEmpty && part === 'customer' ? words.nothing : undefined}
            lines={2}
            maxLength={longestNote}
          />
          {part === 'office' && stop.note ? <p className="c-words__said">{words.said(stop.note)}</p> : null}
          <fieldset className="c-chips" aria-label={words.pick(words.parts[part])}>
            {phrasesOf(crew.bundle?.phrases ?? [], part).map((phrase) => {
              const text = phraseIn(phrase, languageOf(part, languages))
              return (
                <button
                  key={phrase.id}
                  type="button"
                  aria-pressed={typed[part].includes(text)}
                  onClick={() => change(part, withPhrase(typed[part], text).slice(0, longestNote))}
                >
                  {phraseIn(phrase, crew.language)}
                </button>
              )
            })}
          </fieldset>
        </section>
      ))}
      <FieldButton
        kind="main"
        onClick={() => {
          setAsked(true)
          if (isEmpty) return
          drafts.delete(stop.id)
          onSave(stop, payload)
        }}
      >
        {words.save}
      </FieldButton>
    </div>
  )
}

/** What the crew says of a stop: to the customer, to the office, and for next time. */
export const NotesSheet = ({ crew, stop, onClose, onSave }: Props) => (
  <Sheet
    open={stop !== null}
    onClose={onClose}
    title={stop ? wordsTexts[crew.language].title(stop.street) : ''}
    closeLabel={crew.t.close}
  >
    {stop ? <Form key={stop.id} crew={crew} stop={stop} onSave={onSave} /> : null}
  </Sheet>
)
