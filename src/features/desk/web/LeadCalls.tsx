import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useOwner } from '../../owner/web/session.ts'
import { leadCallsQuery, useCallAction } from './data.ts'
import { instantLabel, messageOf } from './labels.ts'
import { useNotify } from './notice.ts'

const statusLabel: Readonly<Record<string, string>> = {
  booked: 'Booked',
  held: 'Held',
  missed: 'Missed',
  canceled: 'Canceled',
}

/** The calls with a lead: what is booked can be canceled, what is over is marked. */
export const LeadCalls = ({ leadId }: { leadId: string }) => {
  const { ask } = useOwner()
  const notify = useNotify()
  const act = useCallAction()
  const calls = useQuery(leadCallsQuery(ask, leadId)).data?.calls ?? []
  if (calls.length === 0) return null
  const run = (callId: string, action: 'held' | 'missed' | 'cancel', message: string) =>
    act.mutate(
      { callId, action },
      { onSuccess: () => notify('done', message), onError: (error) => notify('error', messageOf(error)) },
    )
  return (
    <section className="desk-sprint" aria-labelledby="desk-calls">
      <header>
        <h3 id="desk-calls">Calls</h3>
      </header>
      <ul className="desk-steps">
        {calls.map((call) => {
          const over = Date.parse(call.startsAt) <= Date.now()
          return (
            <li key={call._id}>
              <span>
                {call.title}, {call.minutes} minutes: <b className="num">{instantLabel(call.startsAt)}</b>
                {call.note ? <span className="hint"> {call.note}</span> : null}
              </span>
              <span className="desk-talk__acts">
                <Badge tone={call.status === 'held' ? 'done' : call.status === 'booked' ? 'now' : 'neutral'}>
                  {statusLabel[call.status] ?? call.status}
                </Badge>
                {call.status === 'booked' && over ? (
                  <>
                    <Button
                      size="s"
                      disabled={act.isPending}
                      onClick={() => run(call._id, 'held', 'Call marked as held')}
                    >
                      Held
                    </Button>
                    <Button
                      size="s"
                      disabled={act.isPending}
                      onClick={() => run(call._id, 'missed', 'Call marked as missed')}
                    >
                      Missed
                    </Button>
                  </>
                ) : null}
                {call.status === 'booked' && !over ? (
                  <Button
                    size="s"
                    kind="quiet"
                    disabled={act.isPending}
                    onClick={() => run(call._id, 'cancel', 'Call canceled; the lead is told by mail')}
                  >
                    Cancel call
                  </Button>
                ) : null}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
