import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { plainMarks } from '../../../../shared/plain-text.ts'
import { toast } from '../../../../ui/toast.tsx'
import { mostCharacters } from '../../rules.ts'
import { spanIn } from '../../web/typed.ts'
import type { Words } from '../../web/useWords.ts'
import type { MessageTemplate } from '../contract.ts'
import {
  fillTemplate,
  fillToFit,
  type Hole,
  holesIn,
  insertAt,
  subjectFor,
  type TemplateValues,
  type TemplateVariable,
  textFor,
} from '../rules.ts'
import { answersQuery, usePayLink } from './data.ts'

type Span = { from: number; to: number }

/** `of`: said while this hole is in the text. */
type Said = { text: string; of?: TemplateVariable }

/** Puts templates and suggested answers into what is being written to a customer, filled with what holds of them now. */
export const useInserting = (
  who: { id: string; name: string },
  words: Words,
  sms: boolean,
  /** What the mail is called by now, and a way to call one that has no subject yet. */
  mail: { subject: string; put: (subject: string) => void },
) => {
  const client = useQueryClient()
  const pay = usePayLink(who.id)
  const [said, setSaid] = useState<Said[]>([])
  const [busy, setBusy] = useState(false)

  // what was said of words that are gone is not said of the next ones
  const isEmpty = words.text === ''
  useEffect(() => {
    if (isEmpty) setSaid((now) => (now.length === 0 ? now : []))
  }, [isEmpty])

  /** Into what stands in the field by now, which is not what stood there at the press. Null where the field is gone. */
  const put = (
    text: string,
    values: TemplateValues,
    span: Span,
  ): { holes: Hole[]; shortName: string | null } | null => {
    const now = words.field.current?.value
    if (now === undefined) return null
    // accents stay, as they do in what is typed: the counter says what they cost and offers plain letters
    const plain = sms ? plainMarks : (one: string) => one
    const where = spanIn(now, words.text, span)
    const filled = fillToFit(
      plain(text),
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ? plain(value) : value])),
      (one) => !sms || insertAt(now, where, one).text.trim().length <= mostCharacters,
    )
    const { text: whole, at } = insertAt(now, where, filled.text)
    const [hole] = filled.holes
    const from = hole ? at + hole.at : at + filled.text.length
    words.put(whole, { from, to: from + (hole?.length ?? 0) })
    return filled
  }

  /** One press at a time; what fails leaves the words as they are. */
  const alone = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    await work().catch(toast.error)
    setBusy(false)
  }

  return {
    /** What the person should know of what was put in, as sentences. */
    said: said
      .filter(({ of }) => of === undefined || holesIn(`${words.text} ${sms ? '' : mail.subject}`).includes(of))
      .map(({ text }) => text),
    busy,
    insertTemplate: (template: MessageTemplate, span: Span) =>
      alone(async () => {
        const answers = await client.fetchQuery({ ...answersQuery(who.id), staleTime: 0 })
        const { text, fellBack } = textFor(template, answers.language)
        const subject = sms ? '' : subjectFor(template, answers.language)
        const link =
          `${text}${subject}`.includes('{pay link}') && answers.values['pay link']
            ? (await pay.mutateAsync(null)).url
            : null
        const filled = put(text, { ...answers.values, 'pay link': link }, span)
        if (!filled) return
        const called = fillTemplate(subject, { ...answers.values, 'pay link': link })
        mail.put(called.text)
        const { shortName } = filled
        const holes = [...filled.holes, ...called.holes]
        const places = holesIn(`${text} ${subject}`).flatMap((name) =>
          answers.values[name] ? (answers.places[name] ?? []) : [],
        )
        setSaid([
          ...(fellBack
            ? [{ text: `${who.name} reads Spanish, and this template has no Spanish text: this is the English one.` }]
            : []),
          ...[...new Set(places)].map((text) => ({ text })),
          ...(shortName
            ? [{ text: `Your business stands in it as “${shortName}”, so that it fits in one text.` }]
            : []),
          ...[...new Set(holes.map(({ variable }) => variable))].map((name) => ({
            text: `${answers.missing[name] ?? ''} Write what belongs at {${name}}, or take it out.`,
            of: name,
          })),
        ])
      }),
    insertAnswer: (text: string, span: Span) =>
      alone(async () => {
        const link = text.includes('{pay link}') ? (await pay.mutateAsync(null)).url : null
        if (put(text, { 'pay link': link }, span)) setSaid([])
      }),
  }
}
