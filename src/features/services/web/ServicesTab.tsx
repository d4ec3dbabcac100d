import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { recordParam } from '#src/shared/links.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { IconPlus } from '#src/ui/icons.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { RecordMissing } from '#src/ui/RecordFailed.tsx'
import { TableSkeleton } from '#src/ui/Skeleton.tsx'
import { SortableLists } from '#src/ui/SortableLists.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type ServiceRecord, servicesApi } from '../contract.ts'
import { categoryLabel, nextPriceText, priceRuleText, timeRuleText } from '../rules.ts'
import {
  archivedServicesQuery,
  servicesQuery,
  useAddDefaults,
  useArchiveService,
  useReorderServices,
  useRestoreService,
} from './data.ts'
import { type PriceAsk, ServiceEditor } from './ServiceEditor.tsx'
import './services.css'

const Line = ({ service, onOpen, current }: { service: ServiceRecord; onOpen: () => void; current: boolean }) => (
  <button type="button" className="svc-row" onClick={onOpen} aria-current={current ? 'true' : undefined}>
    <span className="svc-row__name">
      <b>{service.name}</b>
      <span className="hint">{timeRuleText(service.timeRule, service)}</span>
    </span>
    <span className="svc-row__price num">
      {service.priceRule ? priceRuleText(service.priceRule, service) : null}
      {service.nextPrice ? <span className="hint">{nextPriceText(service.nextPrice, service)}</span> : null}
    </span>
    <span className="svc-row__kind">
      <Badge dot={false}>{categoryLabel[service.category]}</Badge>
    </span>
    <span className="svc-row__jobs muted num">
      {service.jobCount === 0 ? 'not booked' : `${service.jobCount} ${service.jobCount === 1 ? 'job' : 'jobs'}`}
    </span>
  </button>
)

const archiveWords = (jobs: number): string =>
  `${jobs} open ${jobs === 1 ? 'job uses' : 'jobs use'} it. They go on with their prices and minutes; it is only not offered for new work.`

type Props = {
  /** Asks about a new price of a service that is booked: for which work it holds, and from when. */
  askPrice?: ((ask: PriceAsk) => void) | undefined
  /** Beside "Add a service". */
  actions?: ReactNode
  /** Below the form of a service. */
  history?: (service: ServiceRecord) => ReactNode
  /** Below the list. */
  more?: ReactNode
}

/** What the business does and what it costs. */
export const ServicesTab = ({ askPrice, actions, history, more }: Props) => {
  const canEdit = useMay()(servicesApi.update)
  const [query, setQuery] = useSearchParams()
  const services = useQuery(servicesQuery)
  const [showArchived, setShowArchived] = useState(false)
  const archived = useQuery({ ...archivedServicesQuery, enabled: showArchived })
  const addDefaults = useAddDefaults()
  const archive = useArchiveService()
  const restore = useRestoreService()
  const reorder = useReorderServices()
  const openId = query.get(recordParam.service)
  const open = (id: string | null) =>
    setQuery((old) => {
      const next = new URLSearchParams(old)
      if (id) next.set(recordParam.service, id)
      else next.delete(recordParam.service)
      return next
    })
  const items = services.data
  const current = items?.find((s) => s.id === openId) ?? null

  const [asking, setAsking] = useState<ServiceRecord | null>(null)
  /** A service that open jobs use is not archived by a slip. */
  const archivedItems = async (service: ServiceRecord, isSure = service.jobCount === 0) => {
    if (!isSure) return setAsking(service)
    try {
      await archive.mutateAsync(service.id)
      open(null)
      toast.undo(`${service.name} archived`, () => restore.mutateAsync(service.id).catch(toast.error))
    } catch (error) {
      toast.error(error)
    }
  }
  const start = async () => {
    try {
      const added = await addDefaults.mutateAsync(undefined)
      toast.success(`${added.items.length} services added`)
    } catch (error) {
      toast.error(error)
    }
  }

  return (
    <>
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking ? `Archive ${asking.name}?` : ''}
        confirmLabel="Archive"
        onConfirm={() => asking && archivedItems(asking, true)}
      >
        {asking ? archiveWords(asking.jobCount) : null}
      </ConfirmDialog>
      <PageHeader
        title="Services"
        sub={
          canEdit
            ? 'What you do, priced by the size of the lawn, the beds or the edges. New jobs and quotes take their prices from here.'
            : 'What you do and how long it takes. Prices are for people who see money.'
        }
        actions={
          canEdit && items && items.length > 0 ? (
            <>
              {actions}
              <Button calls={servicesApi.create} kind="primary" icon={<IconPlus />} onClick={() => open('new')}>
                Add a service
              </Button>
            </>
          ) : undefined
        }
      />
      {services.error && !items ? (
        <ErrorState error={services.error} onRetry={() => services.refetch()} retrying={services.isFetching} />
      ) : !items ? (
        <Card flush>
          <TableSkeleton rows={8} columns={4} />
        </Card>
      ) : items.length === 0 ? (
        <Card>
          <EmptyState
            title="No services yet"
            action={
              canEdit ? (
                <>
                  <Button
                    calls={servicesApi.addDefaults}
                    kind="primary"
                    loading={addDefaults.isPending}
                    onClick={start}
                  >
                    Start with 11 lawn-care services
                  </Button>
                  <Button calls={servicesApi.create} onClick={() => open('new')}>
                    Make my own
                  </Button>
                </>
              ) : undefined
            }
          >
            Mowing, treatments, aeration, mulch and clean-ups with usual prices and times. Change every number to yours.
          </EmptyState>
        </Card>
      ) : (
        <Card flush className="svc-list">
          <SortableLists
            lists={[{ id: 'services', label: 'Services', items, locked: !canEdit }]}
            itemId={(service) => service.id}
            itemLabel={(service) => service.name}
            isLocked={() => !canEdit}
            render={(service) => (
              <Line service={service} onOpen={() => open(service.id)} current={service.id === openId} />
            )}
            onMove={({ itemId, toIndex }) => {
              const ids = items.map((s) => s.id).filter((id) => id !== itemId)
              ids.splice(toIndex, 0, itemId)
              reorder.mutate(ids, { onError: toast.error })
            }}
          />
        </Card>
      )}
      {items && canEdit ? more : null}
      {items ? (
        <details className="svc-more" onToggle={(event) => setShowArchived(event.currentTarget.open)}>
          <summary>Archived services</summary>
          {archived.error ? (
            <ErrorState compact error={archived.error} onRetry={() => archived.refetch()} />
          ) : !archived.data ? (
            <TableSkeleton rows={2} columns={2} />
          ) : archived.data.length === 0 ? (
            <p className="muted">None. A service you no longer offer can be archived; its jobs go on.</p>
          ) : (
            <ul className="svc-archived">
              {archived.data.map((service) => (
                <li key={service.id}>
                  <span>{service.name}</span>
                  {service.can.restore ? (
                    <Button
                      size="s"
                      calls={servicesApi.restore}
                      loading={restore.isPending && restore.variables === service.id}
                      onClick={() =>
                        restore.mutate(service.id, {
                          onSuccess: () => toast.success(`${service.name} is back`),
                          onError: toast.error,
                        })
                      }
                    >
                      Restore
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </details>
      ) : null}
      {openId === 'new' && canEdit ? (
        <ServiceEditor key="new" service={null} canEdit onClose={() => open(null)} />
      ) : current ? (
        <ServiceEditor
          key={current.id}
          service={current}
          canEdit={current.can.update}
          onClose={() => open(null)}
          archiving={archive.isPending}
          onArchive={current.can.archive ? () => archivedItems(current) : undefined}
          askPrice={current.jobCount > 0 ? askPrice : undefined}
          history={canEdit ? history?.(current) : undefined}
        />
      ) : openId && openId !== 'new' && openId !== archive.variables && items ? (
        <RecordMissing what="service" onClose={() => open(null)} />
      ) : null}
    </>
  )
}
