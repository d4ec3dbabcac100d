import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import type { Crew } from './data.ts'
import { spanOf } from './labels.ts'
import './crewapp.css'

type Item = { id: string; what: string; where: string; queuedAt: number; why: string | null }

const itemsOf = ({ state, t }: Crew): Item[] => [
  ...state.commands.map((c) => ({
    id: c.command.id,
    what: t.commands[c.command.type],
    where: c.label,
    queuedAt: c.queuedAt,
    why: c.state === 'attention' ? (t.reasons[c.reason ?? ''] ?? t.reasons.rejected ?? '') : null,
  })),
  ...state.photos.map((p) => ({
    id: p.id,
    what: t.photoOf[p.kind],
    where: p.label,
    queuedAt: p.queuedAt,
    why: p.state === 'attention' ? (p.reason ?? '') : null,
  })),
]

/** What has not reached the office, how old it is, and what a person has to see. */
export const UnsentList = ({ crew }: { crew: Crew }) => {
  const { t, now, outbox, state } = crew
  const items = itemsOf(crew)
  if (items.length === 0) return <p className="muted">{t.unsentNone}</p>
  const age = (at: number) => (now - at < 60_000 ? t.justNow : t.ago(spanOf((now - at) / 1000)))
  const waits = items.some((i) => i.why === null)
  return (
    <>
      {waits ? <p className="muted">{state.needsSignIn ? t.waitingSignIn : t.waitingSignal}</p> : null}
      <ul className="c-items">
        {items.map((item) => (
          <li key={item.id}>
            <b>
              {item.what}
              {item.where ? ` · ${item.where}` : ''}
            </b>
            <span className="c-ago">{age(item.queuedAt)}</span>
            {item.why === null ? null : (
              <>
                <span className="c-why">{item.why}</span>
                <FieldButton onClick={() => void outbox.discard(item.id)}>{t.gotIt}</FieldButton>
              </>
            )}
          </li>
        ))}
      </ul>
      <FieldButton kind="main" busy={state.sending} onClick={() => void (waits ? outbox.flush() : outbox.retry())}>
        {waits ? t.sendNow : t.sendAgain}
      </FieldButton>
    </>
  )
}

export const UnsentSheet = ({ crew, open, onClose }: { crew: Crew; open: boolean; onClose: () => void }) => (
  <Sheet open={open} onClose={onClose} title={crew.t.unsentTitle} closeLabel={crew.t.close}>
    <UnsentList crew={crew} />
  </Sheet>
)
