import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { Badge, type Tone } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { CopyValue } from '../../web/CopyValue.tsx'
import { type SenderRegistration, senderRegistrationApi } from '../contract.ts'
import { type MarkedStep, markedSteps, type StepState } from '../rules.ts'
import { DetailsForm } from './DetailsForm.tsx'
import { registrationQuery } from './data.ts'
import { MarkForm, type Marking, markLabels } from './MarkForm.tsx'

const states: Record<StepState, { label: string; tone: Tone }> = {
  done: { label: 'Done', tone: 'done' },
  now: { label: 'Next', tone: 'now' },
  waits: { label: 'Sent in', tone: 'wait' },
  returned: { label: 'Sent back', tone: 'late' },
  later: { label: 'Later', tone: 'neutral' },
}

/** What can be said of a step where it stands. */
const sayable: Partial<Record<StepState, readonly Marking['state'][]>> = {
  now: ['sent'],
  waits: ['approved', 'returned', 'open'],
  done: ['open'],
  returned: ['sent'],
}

const isMarked = (key: string): key is MarkedStep => (markedSteps as readonly string[]).includes(key)

const Steps = ({ saved, onMark }: { saved: SenderRegistration; onMark: ((marking: Marking) => void) | null }) => (
  <ol className="sender-steps">
    {saved.steps.map(({ key, title, state, words }, index) => (
      <li key={key} className={`sender-step${state === 'done' ? ' is-done' : ''}`}>
        <span className="sender-step__n" aria-hidden="true">
          {index + 1}
        </span>
        <h3>
          {title} <Badge tone={states[state].tone}>{states[state].label}</Badge>
        </h3>
        <p className="muted">{words}</p>
        {onMark && isMarked(key) ? (
          <div className="sender-do">
            {(sayable[state] ?? []).map((to) => (
              <Button
                key={to}
                size="s"
                calls={senderRegistrationApi.mark}
                onClick={() => onMark({ step: key, state: to })}
              >
                {markLabels[to]}
              </Button>
            ))}
          </div>
        ) : null}
      </li>
    ))}
  </ol>
)

/** The registration that carriers ask for before texts leave from a number of one's own, step by step. */
export const RegistrationCard = () => {
  const may = useMay()
  const zone = useUser().business.timeZone
  const found = useQuery({ ...registrationQuery, enabled: may(senderRegistrationApi.get) })
  const [open, setOpen] = useState<'details' | Marking | null>(null)
  const saved = found.data
  const mayChange = may(senderRegistrationApi.save)
  const close = () => setOpen(null)
  const refused = found.error instanceof ApiError && found.error.status === 403
  if (!may(senderRegistrationApi.get) || refused) return null
  return (
    <Card id="texts" flush className="settings-card">
      {saved ? (
        <>
          <div className="settings-card__words">
            <h2>Registering your texts</h2>
            <p className="muted">
              Carriers take texts of a business only from numbers that are registered. Until yours is, your texts leave
              from Swath’s registered number, so nothing waits. These steps lead to a number of your own.
            </p>
          </div>
          <Steps saved={saved} onMark={mayChange ? setOpen : null} />
          {mayChange ? (
            <div className="sender-do">
              <Button calls={senderRegistrationApi.save} onClick={() => setOpen('details')}>
                {saved.kind === null ? 'Begin the registration' : 'Change what was said'}
              </Button>
            </div>
          ) : null}
          {saved.kind === null ? null : (
            <details className="sender-more">
              <summary>Words to copy into the registration</summary>
              <ul className="sender-texts">
                {saved.texts.map(({ label, text }) => (
                  <li key={label}>
                    <CopyValue label={label} text={text} />
                  </li>
                ))}
              </ul>
            </details>
          )}
          <Dialog
            open={open === 'details'}
            onClose={close}
            size="l"
            closeOnOutside={false}
            title="Registering your texts"
          >
            <DetailsForm saved={saved} onClose={close} />
          </Dialog>
          <Dialog
            open={open !== null && open !== 'details'}
            onClose={close}
            title={open !== null && open !== 'details' ? markLabels[open.state] : ''}
          >
            {open !== null && open !== 'details' ? (
              <MarkForm saved={saved} marking={open} today={dayOf(new Date(), zone)} onClose={close} />
            ) : null}
          </Dialog>
        </>
      ) : found.isError ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Card>
  )
}
