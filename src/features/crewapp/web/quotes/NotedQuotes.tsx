import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import type { CrewQuote } from '../../../quotes/crew/contract.ts'
import { servicesOf } from '../labels.ts'
import type { QueuedCommand } from '../store.ts'
import type { Language } from '../texts.ts'
import { crewQuoteTexts } from './quoteTexts.ts'

type Texts = (typeof crewQuoteTexts)['en']

const Waiting = ({ items, t }: { items: readonly QueuedCommand[]; t: Texts }) =>
  items.map(({ command, label, state }) => (
    <li key={command.id}>
      <b>{label}</b>
      <span className="c-ago">{state === 'attention' ? t.notTaken : t.onPhone}</span>
      <span className="muted c-sheet__line">{command.payload.noted?.note}</span>
    </li>
  ))

/** What somebody noted: what waits on the phone, and what the office has. */
export const NotedQuotes = ({
  items,
  waiting,
  language,
}: {
  items: readonly CrewQuote[]
  waiting: readonly QueuedCommand[]
  language: Language
}) => {
  const t = crewQuoteTexts[language]
  return items.length + waiting.length === 0 ? null : (
    <FieldCard>
      <h2>{t.mine}</h2>
      <ul className="c-items">
        <Waiting items={waiting} t={t} />
        {items.map((one) => (
          <li key={one.id}>
            <b>{one.street}</b>
            <span className="c-ago">{t.states[one.status]}</span>
            <span className="muted c-sheet__line">{servicesOf({ language }, one)}</span>
          </li>
        ))}
      </ul>
    </FieldCard>
  )
}
