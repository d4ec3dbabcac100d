import { useState } from 'react'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import { languageOf, phraseIn, phrasesOf, withPhrase } from '../../../stops/rules.ts'
import { customerParts, longestNote, type NoteField, type NotePart } from '../../../visits/notes/rules.ts'
import type { CrewStop } from '../../contract.ts'
import type { CommandPayload } from '../../rules.ts'
import type { Crew } from '../data.ts'
import { wordsTexts } from './wordsTexts.ts'
import './words.css'

/** `customer` is one text of before there were three parts: it is here to be put right where there is one. */
type Field = NotePart | 'customer'
type Words = Record<Field, string>

/** What was typed and not saved, until the app is closed: a sheet that a thumb closed loses nothing. */
const drafts = new Map<string, { words: Words; was: Words }>()

const fields: Readonly<Record<Exclude<Field, 'office'>, NoteField>> = {
  customer: 'customerNote',
  saw: 'sawNote',
  did: 'didNote',
  expect: 'expectNote',
  next: 'nextNote',
}
const changing = Object.keys(fields) as (keyof typeof fields)[]

const wordsOf = (stop: CrewStop): Words => ({
  customer: stop.customerNote ?? '',
  saw: stop.sawNote ?? '',
  did: stop.didNote ?? '',
  expect: stop.expectNote ?? '',
  office: '',
  next: stop.nextNote ?? '',
})

const payloadOf = (words: Words, was: Words): CommandPayload => ({
  ...(words.office.trim() ? { note: words.office.trim() } : {}),
  ...Object.fromEntries(
    changing
      .filter((field) => words[field].trim() !== was[field])
      .map((field) => [fields[field], { was: was[field], text: words[field].trim() }]),
  ),
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
  const change = (part: Field, text: string) => {
    const next = { words: { ...typed, [part]: text }, was }
    drafts.set(stop.id, next)
    setDraft(next)
  }
  const languages = { customer: stop.customerLanguage ?? 'en', crew: crew.language } as const
  const payload = payloadOf(typed, was)
  const isEmpty = Object.keys(payload).length === 0
  const part = (name: NotePart, hint?: string) => (
    <section key={name} className="c-words">
      <FieldInput
        label={words.parts[name]}
        hint={hint}
        value={typed[name]}
        onChange={(text) => change(name, text)}
        error={asked && isEmpty && name === 'saw' ? words.nothing : undefined}
        lines={2}
        maxLength={longestNote}
      />
      {name === 'office' && stop.note ? <p className="c-words__said">{words.said(stop.note)}</p> : null}
      <fieldset className="c-chips" aria-label={words.pick(words.parts[name])}>
        {phrasesOf(crew.bundle?.phrases ?? [], name).map((phrase) => {
          const text = phraseIn(phrase, languageOf(name, languages))
          return (
            <button
              key={phrase.id}
              type="button"
              aria-pressed={typed[name].includes(text)}
              onClick={() => change(name, withPhrase(typed[name], text).slice(0, longestNote))}
            >
              {phraseIn(phrase, crew.language)}
            </button>
          )
        })}
      </fieldset>
    </section>
  )
  return (
    <div className="c-stack">
      <div className="c-words__reader">
        <h3>{words.customer}</h3>
        <p className="c-words__said">{languages.customer === 'es' ? words.customerHintEs : words.customerHint}</p>
      </div>
      {was.customer ? (
        <section className="c-words">
          <FieldInput
            label={words.customer}
            value={typed.customer}
            onChange={(text) => change('customer', text)}
            lines={2}
            maxLength={longestNote}
          />
        </section>
      ) : null}
      {customerParts.map((name) => part(name))}
      {part('office', words.hints.office)}
      {part('next', words.hints.next)}
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

/** What the crew says of a stop: to the customer in three parts, to the office, and for next time. */
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
