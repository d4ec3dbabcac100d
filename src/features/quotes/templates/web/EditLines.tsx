import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { businessQuery } from '../../../invoices/web/data.ts'
import { unmeasured } from '../../../services/measures/rules.ts'
import { most, type QuoteLine } from '../../rules.ts'
import { lineFor, seasonDays } from '../../web/builder/edit.ts'
import { LineRow } from '../../web/builder/LineRow.tsx'
import { catalogQuery } from '../../web/data.ts'
import '../../web/builder/builder.css'
import { AddService } from '../../web/builder/AddService.tsx'
import { type QuoteTemplate, quoteTemplatesApi } from '../contract.ts'
import { useUpdateTemplate } from './data.ts'

/** The place that a template is priced for while nobody knows whose it will be. */
const somewhere = { ...unmeasured, difficulty: 1 }

/** What a template holds: added, changed, put in another order, taken out. A quote that takes it prices it for its own lawn. */
export const EditLines = ({ template, onClose }: { template: QuoteTemplate; onClose: () => void }) => {
  const catalog = useQuery(catalogQuery)
  const business = useQuery(businessQuery)
  const [lines, setLines] = useState<QuoteLine[]>(() => [...template.content.lines])
  const [openId, setOpenId] = useState<string | null>(null)
  const update = useUpdateTemplate()
  const services = catalog.data?.items ?? []
  const season = business.data ? seasonDays(business.data.seasonStart, business.data.seasonEnd) : 225
  const move = (at: number, step: -1 | 1) =>
    setLines((now) => {
      const line = now[at]
      return line && now[at + step] ? now.toSpliced(at, 1).toSpliced(at + step, 0, line) : now
    })
  const add = (serviceId: string) => {
    const service = services.find(({ id }) => id === serviceId)
    if (!service || lines.length >= most.lines) return
    const line = lineFor(service, somewhere, season)
    setLines((now) => [...now, line])
    setOpenId(line.id)
  }
  const submit = async () => {
    await update.mutateAsync({ params: { id: template.id }, body: { lines, version: template.version } })
    toast.success(`${template.name} is saved`)
    onClose()
  }
  const wrong =
    update.error instanceof ApiError && update.error.errors[0] ? update.error.errors[0].message : update.error?.message
  return (
    <Dialog open onClose={onClose} title={`${template.name}: lines`} size="l" closeOnOutside={false}>
      {catalog.isError ? (
        <ErrorState
          compact
          error={catalog.error}
          title="We could not load the services"
          onRetry={() => void catalog.refetch()}
        />
      ) : !catalog.data ? (
        <PanelSkeleton />
      ) : (
        <div className="qt-form">
          <p className="hint">
            Prices by size follow the lawn, beds and edges of each quote; a price that is typed here stays as it is.
          </p>
          <ul className="qb-lines">
            {lines.map((line, at) => (
              <LineRow
                key={line.id}
                line={line}
                service={services.find(({ id }) => id === line.serviceId)}
                packages={template.content.packages}
                season={season}
                isOpen={openId === line.id}
                onOpen={(open) => setOpenId(open ? line.id : null)}
                onChange={(next) => setLines((now) => now.map((one) => (one.id === next.id ? next : one)))}
                onRemove={() => setLines((now) => now.filter((one) => one.id !== line.id))}
                onMove={(step) => move(at, step)}
              />
            ))}
          </ul>
          {lines.length === 0 ? <p className="hint">Nothing yet. Add the first service below.</p> : null}
          <AddService services={services} onAdd={add} />
          {wrong ? <Banner tone="error">{wrong}</Banner> : null}
          <FormActions>
            <Button
              calls={quoteTemplatesApi.update}
              kind="primary"
              loading={update.isPending}
              onClick={() => void submit().catch(() => undefined)}
            >
              Save
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </FormActions>
        </div>
      )}
    </Dialog>
  )
}
