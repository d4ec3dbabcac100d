import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { has } from '../../../shared/roles.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type ForeseenKey, isForeseen, otherGroups, others, tellsMoney, unswitched } from '../others/rules.ts'
import { DryRunResult } from './DryRunResult.tsx'
import { othersDryRunQuery, othersQuery } from './data.ts'

const sentLabel = (count: number): string =>
  count === 0 ? 'none in 30 days' : `${count.toLocaleString('en-US')} in 30 days`

const owedThen =
  'With what was owed, promised and answered as it was then; with addresses, ways and who agreed to what as it is today.'

/** What another part would have sent last month, by the rules by which it sends. */
const OtherDryRun = ({ of, onClose }: { of: ForeseenKey; onClose: () => void }) => {
  const found = useQuery(othersDryRunQuery(of))
  return (
    <Dialog open onClose={onClose} size="l" title={`Dry run: ${others[of].label}`}>
      {found.data ? (
        <DryRunResult {...found.data} asOf={tellsMoney(of) ? owedThen : undefined} />
      ) : found.isError ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}

/** What other parts of Swath send by themselves: here it is only shown, with where it is set. */
export const OthersCard = () => {
  const found = useQuery(othersQuery)
  const items = found.data?.items
  const seesMoney = has(useUser(), 'money')
  const [trying, setTrying] = useState<ForeseenKey | null>(null)
  return (
    <Card title="Sent by other parts" hint="Each is switched where its work is done. Nothing here is sent twice.">
      {found.isError && !items ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : null}
      {!items && !found.isError ? <Skeleton height={200} /> : null}
      {(items ? otherGroups : []).map((group) => (
        <section key={group} aria-label={group}>
          <h3 className="au-group">{group}</h3>
          <ul className="au-list">
            {items
              ?.filter(({ key }) => others[key].group === group)
              .map(({ key, on, sentCount }) => {
                const { label, when, href } = others[key]
                return (
                  <li key={key} className="au-row">
                    <span className="au-row__words">
                      {href ? <LinkTo href={href}>{label}</LinkTo> : <b>{label}</b>}
                      <span className="hint">{when}</span>
                    </span>
                    <span className="au-row__side">
                      {isForeseen(key) && (seesMoney || !tellsMoney(key)) ? (
                        <Button size="s" kind="quiet" aria-label={`Dry run of ${label}`} onClick={() => setTrying(key)}>
                          Dry run
                        </Button>
                      ) : null}
                      {sentCount === null ? null : <span className="hint">{sentLabel(sentCount)}</span>}
                      <Badge tone={on === false ? 'neutral' : 'done'}>
                        {on === null ? (unswitched[key] ?? 'Always on') : on ? 'On' : 'Off'}
                      </Badge>
                    </span>
                  </li>
                )
              })}
          </ul>
        </section>
      ))}
      {trying ? <OtherDryRun of={trying} onClose={() => setTrying(null)} /> : null}
    </Card>
  )
}
