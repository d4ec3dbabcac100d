import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { recordParam } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useMay } from '../../accounts/web/session.ts'
import { type Material, materialsApi } from '../contract.ts'
import { amountText, isLow, packagesText } from '../rules.ts'
import { materialsQuery } from './data.ts'
import { whatText } from './labels.ts'
import { MaterialForm } from './MaterialForm.tsx'
import { MaterialPanel } from './MaterialPanel.tsx'
import { PayloadDialog } from './PayloadDialog.tsx'

const OnHand = ({ material }: { material: Material }) => (
  <span className="mat-hand">
    <span className="num">{packagesText(material.onHand, material.package)}</span>
    {isLow(material) ? <Badge tone="wait">Low</Badge> : null}
  </span>
)

const columns: readonly Column<Material>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: 2,
    minWidth: 260,
    cell: (material) => (
      <span className="mat-name">
        <b>{material.name}</b>
        <span className="hint">{whatText(material)}</span>
      </span>
    ),
  },
  { id: 'hand', header: 'On hand', minWidth: 150, cell: (material) => <OnHand material={material} /> },
  {
    id: 'reorder',
    header: 'Reorder at',
    align: 'right',
    minWidth: 110,
    leaves: 2,
    cell: ({ reorderAt }) => <span className="num">{reorderAt === null ? '–' : amountText(reorderAt)}</span>,
  },
]
const cost: Column<Material> = {
  id: 'cost',
  header: 'Price each',
  align: 'right',
  minWidth: 120,
  leaves: 1,
  cell: ({ costCents }) => (costCents === null ? <span className="hint">–</span> : <Money cents={costCents} />),
}

/** What the business buys: how it comes, what it costs and what there is of it. */
export const StockView = ({ bar }: { bar: ReactNode }) => {
  const { params, change } = useParams()
  const may = useMay()
  const archived = params.get('show') === 'away'
  const found = useQuery(materialsQuery(archived))
  const [adding, setAdding] = useState(false)
  const [payload, setPayload] = useState(false)
  const items = found.data?.items ?? []
  const openId = params.get(recordParam.material)
  const at = items.findIndex(({ id }) => id === openId)
  const open = (id: string | null) => change({ [recordParam.material]: id })
  // nobody told a price, or it is hidden: then there is no column of nothing
  const priced = items.some(({ costCents }) => costCents !== null)
  const add = may(materialsApi.create) ? (
    <Button kind="primary" icon={<IconPlus />} calls={materialsApi.create} onClick={() => setAdding(true)}>
      Add a material
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Materials"
        sub="What you buy to put on lawns and in beds, and what there is of it."
        actions={
          <>
            {may(materialsApi.saveSettings) ? (
              <Button calls={materialsApi.saveSettings} onClick={() => setPayload(true)}>
                Truck payload
              </Button>
            ) : null}
            {items.length > 0 || archived ? add : null}
          </>
        }
      />
      {bar}
      <div className="mat-bar">
        <FilterChips
          label="Which materials"
          single
          chips={[
            { value: 'here', label: 'In use' },
            { value: 'away', label: 'Put away' },
          ]}
          values={[archived ? 'away' : 'here']}
          onChange={([value]) => change({ show: value === 'away' ? 'away' : null, [recordParam.material]: null })}
        />
      </div>
      <Card flush>
        <Table<Material>
          label="Materials"
          columns={priced ? [...columns, cost] : columns}
          rows={found.data ? items : undefined}
          rowId={({ id }) => id}
          onOpen={({ id }) => open(id)}
          currentId={openId}
          error={found.error}
          onRetry={() => void found.refetch()}
          empty={
            <EmptyState
              title={archived ? 'Nothing was put away' : 'No materials yet'}
              picture="unmowed"
              action={archived ? undefined : add}
            >
              {archived
                ? 'What you do not buy any more is put away here, with all its movements.'
                : 'Add fertilizer, seed and mulch with how they come and what is in the shop: the calculator goes by them, and you are told when one runs low.'}
            </EmptyState>
          }
          mobile={(material) => (
            <span className="mat-card">
              <b>{material.name}</b>
              <span className="hint">{whatText(material)}</span>
              <OnHand material={material} />
            </span>
          )}
        />
      </Card>
      {openId ? (
        <MaterialPanel
          key={openId}
          id={openId}
          onClose={() => open(null)}
          onPrevious={at > 0 ? () => open(items[at - 1]?.id ?? null) : undefined}
          onNext={at >= 0 && at < items.length - 1 ? () => open(items[at + 1]?.id ?? null) : undefined}
        />
      ) : null}
      <Dialog open={adding} onClose={() => setAdding(false)} title="Add a material">
        {adding ? (
          <MaterialForm
            material={null}
            onDone={({ id }) => {
              setAdding(false)
              open(id)
            }}
          />
        ) : null}
      </Dialog>
      {found.data ? (
        <PayloadDialog open={payload} settings={found.data.settings} onClose={() => setPayload(false)} />
      ) : null}
    </>
  )
}
