import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { type RouteDifferences, type SavedRoute, savedRoutesApi } from '../saved/contract.ts'
import { shortDuration, stopsLabel } from './plan.ts'
import { differencesQuery, useSavedRoutes } from './savedData.ts'

type Line = { key: string; street: string; note: string }

const Lines = ({ title, lines }: { title: string; lines: readonly Line[] }) =>
  lines.length === 0 ? null : (
    <section className="differences__part">
      <h3>{title}</h3>
      <ul>
        {lines.map(({ key, street, note }) => (
          <li key={key}>
            <b>{street}</b> <span className="muted">{note}</span>
          </li>
        ))}
      </ul>
    </section>
  )

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const Differences = ({ of: found }: { of: RouteDifferences }) => {
  const { now, saved, best } = found.driveSeconds
  return (
    <div className="differences">
      <dl>
        <Fact label="Driving as planned now">{shortDuration(now)}</Fact>
        <Fact label="With the saved route">{shortDuration(saved)}</Fact>
        <Fact label="Best order found">{shortDuration(best)}</Fact>
      </dl>
      <p>
        {found.crewName} has {stopsLabel(found.kept)} of it
        {found.kept > 1 ? (found.reordered ? ', in another order.' : ', in this order.') : '.'}
        {saved - best >= 120
          ? ` For the same stops an order with ${shortDuration(saved - best)} less driving was found.`
          : ''}
      </p>
      <Lines
        title={`${found.brought.length} elsewhere: they come to ${found.crewName}`}
        lines={found.brought.map((one) => ({
          key: one.visitId,
          street: one.street,
          note: one.from ? `now with ${one.from}` : 'no crew yet',
        }))}
      />
      <Lines
        title={`${found.held.length} stay where they are`}
        lines={found.held.map((one) => ({ key: one.visitId, street: one.street, note: one.why }))}
      />
      <Lines
        title={`${found.missing.length} missing on this day`}
        lines={found.missing.map((one) => ({
          key: one.jobId,
          street: one.street,
          note: one.nextDay ? `next on ${formatDay(one.nextDay)}` : 'no visit planned',
        }))}
      />
      <Lines
        title={`${found.extra.length} extra: they stay, where they cost the least`}
        lines={found.extra.map((one) => ({ key: one.visitId, street: one.street, note: one.customerName }))}
      />
      {found.violations.length ? <Banner tone="warn">{found.violations.join(' ')}</Banner> : null}
    </div>
  )
}

/** What a saved route would change on a day, before it does. */
export const ApplyRoute = ({ route, onClose }: { route: SavedRoute; onClose: () => void }) => {
  const today = useToday()
  const [day, setDay] = useState<Day | null>(route.nextDay)
  const found = useQuery({ ...differencesQuery(route.id, day ?? route.nextDay), enabled: day !== null })
  const { apply } = useSavedRoutes()
  const refusal = found.data?.refusal ?? null
  const put = async () => {
    if (day === null) return
    await apply.mutateAsync({ id: route.id, name: route.name, day })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`Apply ${route.name}`} size="l">
      <DateField label="To the day" value={day} onChange={setDay} today={today} min={today} />
      {found.data ? (
        <>
          {refusal ? <Banner tone="warn">{refusal}</Banner> : null}
          <Differences of={found.data} />
          <p>
            <LinkTo href={linkTo.routeDay(found.data.day, { crewId: route.crewId })}>See the day as it is</LinkTo>
          </p>
        </>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : day === null ? (
        <p className="muted">Pick a day to see what would change.</p>
      ) : (
        <PanelSkeleton />
      )}
      <FormActions>
        <Button
          kind="primary"
          calls={savedRoutesApi.apply}
          disabled={!found.data || refusal !== null || day === null}
          loading={apply.isPending}
          onClick={() => void put().catch(toast.error)}
        >
          Apply to {day ? formatDay(day) : 'a day'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Dialog>
  )
}
