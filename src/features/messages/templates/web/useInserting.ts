import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asSms } from '../../../../shared/plain-text.ts'
import { toast } from '../../../../ui/toast.tsx'
import type { Words } from '../../web/useWords.ts'
import type { MessageTemplate } from '../contract.ts'
import { fillTemplate, insertAt, type TemplateValues, textFor } from '../rules.ts'
import { answersQuery, usePayLink } from './data.ts'

type Span = { from: number; to: number }

/** Puts templates and suggested answers into what is being written to a customer, filled with what holds of them now. */
export const useInserting = (who: { id: string; name: string }, words: Words, sms: boolean) => {
  const client = useQueryClient()
  const pay = usePayLink(who.id)
  const [said, setSaid] = useState<string[]>([])
  const [busy, setBusy] = useState(false)

  const put = (text: string, values: TemplateValues, span: Span) => {
    const plain = sms ? asSms : (one: string) => one
    const filled = fillTemplate(
      plain(text),
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ? plain(value) : value])),
    )
    const { text: whole, at } = insertAt(words.text, span, filled.text)
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
    said,
    busy,
    forget: () => setSaid([]),
    insertTemplate: (template: MessageTemplate, span: Span) =>
      alone(async () => {
        const answers = await client.fetchQuery({ ...answersQuery(who.id), staleTime: 0 })
        const { text, fellBack } = textFor(template, answers.language)
        const link =
          text.includes('{pay link}') && answers.values['pay link'] ? (await pay.mutateAsync(null)).url : null
        const holes = put(text, { ...answers.values, 'pay link': link }, span)
        setSaid([
          ...(fellBack
            ? [`${who.name} reads Spanish, and this template has no Spanish text: this is the English one.`]
            : []),
          ...[...new Set(holes.map(({ variable }) => variable))].map(
            (name) => `${answers.missing[name] ?? ''} Write what belongs at {${name}}, or take it out.`,
          ),
        ])
      }),
    insertAnswer: (text: string, span: Span) =>
      alone(async () => {
        const link = text.includes('{pay link}') ? (await pay.mutateAsync(null)).url : null
        put(text, { 'pay link': link }, span)
        setSaid([])
      }),
  }
}
