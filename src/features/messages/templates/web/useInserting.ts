import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asSms } from '../../../../shared/plain-text.ts'
import { toast } from '../../../../ui/toast.tsx'
import { spanIn } from '../../web/typed.ts'
import type { Words } from '../../web/useWords.ts'
import type { MessageTemplate } from '../contract.ts'
import {
  fillTemplate,
  type Hole,
  holesIn,
  insertAt,
  type TemplateValues,
  type TemplateVariable,
  textFor,
} from '../rules.ts'
import { answersQuery, usePayLink } from './data.ts'

type Span = { from: number; to: number }

/** `of`: said while this hole is in the text. */
type Said = { text: string; of?: TemplateVariable }

/** Puts templates and suggested answers into what is being written to a customer, filled with what holds of them now. */
export const useInserting = (who: { id: string; name: string }, words: Words, sms: boolean) => {
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
  const put = (text: string, values: TemplateValues, span: Span): Hole[] | null => {
    const now = words.field.current?.value
    if (now === undefined) return null
    const plain = sms ? asSms : (one: string) => one
    const filled = fillTemplate(
      plain(text),
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ? plain(value) : value])),
    )
    const { text: whole, at } = insertAt(now, spanIn(now, words.text, span), filled.text)
    const [hole] = filled.holes
    const from = hole ? at + hole.at : at + filled.text.length
    words.put(whole, { from, to: from + (hole?.length ?? 0) })
    return filled.holes
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
    said: said.filter(({ of }) => of === undefined || holesIn(words.text).includes(of)).map(({ text }) => text),
    busy,
    insertTemplate: (template: MessageTemplate, span: Span) =>
      alone(async () => {
        const answers = await client.fetchQuery({ ...answersQuery(who.id), staleTime: 0 })
        const { text, fellBack } = textFor(template, answers.language)
        const link =
          text.includes('{pay link}') && answers.values['pay link'] ? (await pay.mutateAsync(null)).url : null
        const holes = put(text, { ...answers.values, 'pay link': link }, span)
        if (!holes) return
        const places = holesIn(text).flatMap((name) => (answers.values[name] ? (answers.places[name] ?? []) : []))
        setSaid([
          ...(fellBack
            ? [{ text: `${who.name} reads Spanish, and this template has no Spanish text: this is the English one.` }]
            : []),
          ...[...new Set(places)].map((text) => ({ text })),
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
