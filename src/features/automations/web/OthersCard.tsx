import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { otherGroups, others, unswitched } from '../others/rules.ts'
import { othersQuery } from './data.ts'

const sentLabel = (count: number): string =>
  count === 0 ? 'none in 30 days' : `${count.toLocaleString('en-US')} in 30 days`

/** What other parts of Swath send by themselves: here it is only shown, with where it is set. */
export const OthersCard = () => {
  const found = useQuery(othersQuery)
  const items = found.data?.items
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
    </Card>
  )
}
