import { useQuery } from '@tanstack/react-query'
import { answersQuery } from './data.ts'
import './templates.css'

/** Answers to what waits, made of facts: a press puts one into what is being written, and a person sends it. */
export const AnswerChips = ({
  customerId,
  busy,
  onPick,
}: {
  customerId: string
  busy: boolean
  onPick: (text: string) => void
}) => {
  // without an answer nothing is missing: the composer is there all the same
  const { data } = useQuery(answersQuery(customerId))
  if (!data || data.suggestions.length === 0) return null
  return (
    <fieldset className="mt-answers">
      <legend className="ui-hidden">Suggested answers</legend>
      {data.suggestions.map(({ kind, text }) => (
        <button key={kind} type="button" lang={data.language} disabled={busy} onClick={() => onPick(text)}>
          {text.replace('{pay link}', data.language === 'es' ? '(enlace de pago)' : '(pay link)')}
        </button>
      ))}
    </fieldset>
  )
}
