import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { linkTo } from '../../../../shared/links.ts'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import type { Answers } from '../../../answers/contract.ts'
import { answersQuery } from './data.ts'
import './templates.css'

const Shared = ({ others }: { others: Answers['sharedWith'] }) => (
  <p className="mt-shared">
    Also the number of{' '}
    {others.map(({ customerId, name }, at) => (
      <Fragment key={customerId}>
        {at === 0 ? '' : at === others.length - 1 ? ' and ' : ', '}
        <LinkTo href={linkTo.customer(customerId)}>{name}</LinkTo>
      </Fragment>
    ))}
    : make sure who is asking.
  </p>
)

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
  if (!data) return null
  const shared = data.sharedWith.length === 0 ? null : <Shared others={data.sharedWith} />
  if (data.suggestions.length === 0) return shared
  const chips = (
    <fieldset className="mt-answers">
      <legend className="ui-hidden">Suggested answers</legend>
      {data.suggestions.map(({ kind, text }) => (
        <button key={kind} type="button" lang={data.language} disabled={busy} onClick={() => onPick(text)}>
          {text.replace('{pay link}', data.language === 'es' ? '(enlace de pago)' : '(pay link)')}
        </button>
      ))}
    </fieldset>
  )
  return shared ? (
    <div className="mt-known">
      {shared}
      {chips}
    </div>
  ) : (
    chips
  )
}
