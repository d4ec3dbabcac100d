import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatTime } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { markColor } from '../../../ui/markColor.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { checksApi } from '../checks/contract.ts'
import { CheckSettings } from '../checks/web/CheckSettings.tsx'
import { Defects } from '../checks/web/Defects.tsx'
import { dayChecksQuery, openDefectsQuery } from '../checks/web/data.ts'
import { type Equipment, equipmentApi } from '../contract.ts'
import { readingText } from '../rules.ts'
import { equipmentQuery } from './data.ts'
import { EquipmentForm } from './EquipmentForm.tsx'
import { EquipmentPanel } from './EquipmentPanel.tsx'
import { dueText, dueTone, whatText } from './labels.ts'
import './equipment.css'

const CrewName = ({ crew }: { crew: Equipment['crew'] }) =>
  crew ? (
    <span className="people-crew">
      <i style={{ background: markColor(crew.color) }} />
      <span>{crew.name}</span>
    </span>
  ) : (
    <span className="hint">no crew</span>
  )

/** In a row of the list what matters most; where there is room all of it. */
const Mark = ({ piece }: { piece: Equipment }) =>
  piece.out ? (
    <Badge tone="late">Out of service</Badge>
  ) : piece.defectCount > 0 ? (
    <Badge tone="wait">{piece.defectCount === 1 ? '1 defect' : `${piece.defectCount} defects`}</Badge>
  ) : piece.doubtedCount > 0 ? (
    <Badge tone="wait">Meter</Badge>
  ) : (
    <span className="hint">In service</span>
  )

const Marks = ({ piece }: { piece: Equipment }) => (
  <span className="eq-line">
    {piece.out ? <Badge tone="late">Out of service</Badge> : null}
    {piece.defectCount > 0 ? (
      <Badge tone="wait">{piece.defectCount === 1 ? '1 defect' : `${piece.defectCount} defects`}</Badge>
    ) : null}
    {piece.doubtedCount > 0 ? <Badge tone="wait">Meter</Badge> : null}
    {!piece.out && piece.defectCount + piece.doubtedCount === 0 ? <span className="hint">In service</span> : null}
  </span>
)

const DueMark = ({ piece }: { piece: Equipment }) =>
  piece.due ? (
    <span className="eq-due">
      <Badge tone={dueTone[piece.due.state]}>{piece.due.what}</Badge>
      <span className="hint">{dueText(piece.due, piece.meter)}</span>
    </span>
  ) : (
    <span className="hint">no plan</span>
  )

const columns: readonly Column<Equipment>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: 2,
    minWidth: 200,
    cell: (piece) => (
      <span className="eq-name">
        <b>{piece.name}</b>
        <span className="hint">{whatText(piece)}</span>
      </span>
    ),
  },
  { id: 'crew', header: 'Crew', minWidth: 130, cell: (piece) => <CrewName crew={piece.crew} /> },
  {
    id: 'meter',
    header: 'Meter',
    align: 'right',
    minWidth: 110,
    leaves: 2,
    cell: (piece) => (
      <span className="num">{piece.reading && piece.meter ? readingText(piece.reading.tenths, piece.meter) : '–'}</span>
    ),
  },
  { id: 'due', header: 'Service', grow: 1, minWidth: 280, leaves: 1, cell: (piece) => <DueMark piece={piece} /> },
  { id: 'state', header: 'State', minWidth: 150, cell: (piece) => <Mark piece={piece} /> },
]

/** Who has looked at the truck today, and what was found wrong and still is. */
const Checks = () => {
  const checks = useQuery(dayChecksQuery)
  const defects = useQuery(openDefectsQuery)
  const { timeZone } = useUser().business
  const crews = checks.data?.crews ?? []
  const open = defects.data?.items ?? []
  if (crews.length === 0 && open.length === 0) return null
  return (
    <div className="eq-checks">
      {crews.length > 0 ? (
        <Card title="Truck check today" flush>
          <ul className="eq-crews">
            {crews.map(({ crew, check }) => (
              <li key={crew.id}>
                <CrewName crew={crew} />
                {check ? (
                  <span className="eq-crews__done">
                    {check.wrong > 0 ? (
                      <Badge tone="wait">{`${check.wrong} wrong`}</Badge>
                    ) : (
                      <Badge tone="done">all OK</Badge>
                    )}
                    <span className="hint">
                      {check.by}, {formatTime(check.at, timeZone)}
                    </span>
                  </span>
                ) : (
                  <span className="hint">not yet</span>
                )}
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {open.length > 0 ? (
        <Card title="Found by crews" flush>
          <Defects defects={open} />
        </Card>
      ) : null}
    </div>
  )
}

/** Trucks, trailers, mowers: with which crew, what their meters read, what is due, and what crews found. */
export const EquipmentView = ({ bar }: { bar: ReactNode }) => {
  const { params, change } = useParams()
  const may = useMay()
  const archived = params.get('show') === 'away'
  const found = useQuery(equipmentQuery(archived))
  const [adding, setAdding] = useState(false)
  const [settings, setSettings] = useState(false)
  const items = found.data?.items ?? []
  const openId = params.get(recordParam.equipment)
  const at = items.findIndex(({ id }) => id === openId)
  const open = (id: string | null) => change({ [recordParam.equipment]: id })
  const add = may(equipmentApi.create) ? (
    <Button kind="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add equipment
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Equipment"
        sub="What every crew has with it, what it needs, and what was found wrong with it."
        actions={
          <>
            {may(checksApi.saveSettings) ? <Button onClick={() => setSettings(true)}>Truck check</Button> : null}
            {items.length > 0 || archived ? add : null}
          </>
        }
      />
      {bar}
      {archived ? null : <Checks />}
      <div className="people-bar">
        <FilterChips
          label="Which equipment"
          single
          chips={[
            { value: 'here', label: 'In use' },
            { value: 'away', label: 'Put away' },
          ]}
          values={[archived ? 'away' : 'here']}
          onChange={([value]) => change({ show: value === 'away' ? 'away' : null, [recordParam.equipment]: null })}
        />
      </div>
      <Card flush>
        <Table<Equipment>
          label="Equipment"
          columns={columns}
          rows={found.data ? items : undefined}
          rowId={({ id }) => id}
          onOpen={({ id }) => open(id)}
          currentId={openId}
          error={found.error}
          onRetry={() => void found.refetch()}
          empty={
            <EmptyState
              title={archived ? 'Nothing was put away' : 'No equipment yet'}
              picture="unmowed"
              action={archived ? undefined : add}
            >
              {archived
                ? 'What you sell or scrap is put away here, with everything that was done on it.'
                : 'Add trucks, trailers and mowers with the crew that has them: the crew checks them before its day on the phone, and you are told of service two weeks ahead.'}
            </EmptyState>
          }
          mobile={(piece) => (
            <span className="eq-card">
              <b>{piece.name}</b>
              <span className="hint">
                {[
                  whatText(piece),
                  piece.crew?.name,
                  piece.reading && piece.meter ? readingText(piece.reading.tenths, piece.meter) : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {piece.due && piece.due.state !== 'later' ? <DueMark piece={piece} /> : null}
              <Marks piece={piece} />
            </span>
          )}
        />
      </Card>
      {openId ? (
        <EquipmentPanel
          key={openId}
          id={openId}
          onClose={() => open(null)}
          onPrevious={at > 0 ? () => open(items[at - 1]?.id ?? null) : undefined}
          onNext={at >= 0 && at < items.length - 1 ? () => open(items[at + 1]?.id ?? null) : undefined}
        />
      ) : null}
      <Dialog open={adding} onClose={() => setAdding(false)} title="Add equipment">
        {adding ? (
          <EquipmentForm
            piece={null}
            onDone={(id) => {
              setAdding(false)
              open(id)
            }}
          />
        ) : null}
      </Dialog>
      <CheckSettings open={settings} onClose={() => setSettings(false)} />
    </>
  )
}
