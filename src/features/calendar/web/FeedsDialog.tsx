import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { copyText } from '../../../ui/copy.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconCopy, IconPlus } from '../../../ui/icons.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { useMay } from '../../accounts/web/session.ts'
import { employeesQuery } from '../../employees/web/data.ts'
import { visitCalendarQuery } from '../../visits/web/data.ts'
import { type CalendarFeed, calendarFeedsApi } from '../feeds/contract.ts'

const feedsQuery = queryOptions({
  queryKey: ['calendar', 'feeds'],
  queryFn: ({ signal }) => call(calendarFeedsApi.list, {}, { signal }),
})

type Draft = CallInput<(typeof calendarFeedsApi)['create']>['body']

const copy = (feed: CalendarFeed): Promise<void> =>
  copyText(
    feed.url,
    `The address for ${feed.name} is copied`,
    'The browser did not let us copy. Mark the address and copy it by hand.',
  )

const Feed = ({ feed, onRevoke }: { feed: CalendarFeed; onRevoke: (feed: CalendarFeed) => void }) => (
  <li className="cal-feed">
    <div className="cal-feed__words">
      <b>{feed.name}</b>
      <span className="hint">{feed.crewId ? 'crew' : 'person'}</span>
    </div>
    <input
      className="cal-feed__url"
      readOnly
      aria-label={`Address for ${feed.name}`}
      value={feed.url}
      onFocus={(event) => event.target.select()}
    />
    <div className="cal-feed__do">
      <Button
        size="s"
        icon={<IconCopy size={16} />}
        aria-label={`Copy the address for ${feed.name}`}
        onClick={() => void copy(feed)}
      >
        Copy
      </Button>
      {feed.can.revoke ? (
        <Button
          size="s"
          kind="danger"
          calls={calendarFeedsApi.revoke}
          aria-label={`Revoke the address for ${feed.name}`}
          onClick={() => onRevoke(feed)}
        >
          Revoke
        </Button>
      ) : null}
    </div>
  </li>
)

const Feeds = () => {
  const client = useQueryClient()
  const found = useQuery(feedsQuery)
  const { data: calendar } = useQuery(visitCalendarQuery)
  const { data: people } = useQuery(employeesQuery({ status: 'active' }))
  const may = useMay()(calendarFeedsApi.create)
  const [whose, setWhose] = useState('')
  const [revoking, setRevoking] = useState<CalendarFeed | null>(null)
  const reload = () => client.invalidateQueries({ queryKey: feedsQuery.queryKey })
  const create = useIdempotentMutation({
    mutationFn: (body: Draft, key) => call(calendarFeedsApi.create, { body }, { idempotencyKey: key }),
    onSuccess: async () => {
      setWhose('')
      await reload()
    },
    onError: (error) => toast.error(error),
  })
  const revoke = useIdempotentMutation({
    mutationFn: (id: string, key) => call(calendarFeedsApi.revoke, { params: { id } }, { idempotencyKey: key }),
    onSuccess: reload,
  })
  if (found.error && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data || !calendar) return <PanelSkeleton />
  const { items } = found.data
  const has = (id: string) => items.some((feed) => feed.crewId === id || feed.userId === id)
  const isCrew = calendar.crews.some((crew) => crew.id === whose)
  return (
    <div className="cal-feeds">
      <p>
        Phones and computers show a crew's stops in their own calendar: subscribe there to its address. It shows where
        and when, never prices or gate codes, and updates by itself. Whoever has the address can read it.
      </p>
      {items.length > 0 ? (
        <ul>
          {items.map((feed) => (
            <Feed key={feed.id} feed={feed} onRevoke={setRevoking} />
          ))}
        </ul>
      ) : (
        <p className="muted">Nobody subscribes yet.</p>
      )}
      {may ? (
        <div className="cal-feeds__new">
          <SelectField
            label="For"
            value={whose}
            placeholder="A crew or a person"
            onChange={setWhose}
            options={[
              ...calendar.crews.map(({ id, name }) => ({ value: id, label: `Crew: ${name}`, disabled: has(id) })),
              ...(people?.items ?? []).map(({ id, name }) => ({ value: id, label: name, disabled: has(id) })),
            ]}
          />
          <Button
            kind="primary"
            calls={calendarFeedsApi.create}
            icon={<IconPlus size={18} />}
            disabled={whose === ''}
            loading={create.isPending}
            onClick={() => create.mutate(isCrew ? { crewId: whose } : { userId: whose })}
          >
            Make an address
          </Button>
        </div>
      ) : null}
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={`Revoke the address for ${revoking?.name ?? ''}?`}
        confirmLabel="Revoke it"
        danger
        onConfirm={async () => {
          if (revoking) await revoke.mutateAsync(revoking.id)
        }}
      >
        Calendars that subscribed to it show nothing new from now on. It does not come back; a new address is another
        one.
      </ConfirmDialog>
    </div>
  )
}

/** Addresses under which other programs read a crew's or a person's days. */
export const FeedsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Subscribe from another calendar" size="m">
    <Feeds />
  </Dialog>
)
