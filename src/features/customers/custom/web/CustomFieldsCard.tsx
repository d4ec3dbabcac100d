import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconArchive, IconArrowDown, IconArrowUp, IconPencil, IconPlus } from '../../../../ui/icons.ts'
import { lazyPart } from '../../../../ui/lazyAhead.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type CustomFieldRecord, customFieldsApi } from '../contract.ts'
import { type CustomRecord, customRecords, customTypeLabels, mostCustomFields } from '../rules.ts'
import { customFieldsQuery, useArchiveField, useOrderFields } from './data.ts'
import './custom.css'

const FieldDialog = lazyPart(() => import('./FieldDialog.tsx').then((m) => m.FieldDialog))

const titles: Readonly<Record<CustomRecord, string>> = { customer: 'Of customers', property: 'Of properties' }

type RowProps = {
  field: CustomFieldRecord
  mayChange: boolean
  onEdit: () => void
  onMove: ((step: -1 | 1) => void) | null
  isFirst: boolean
  isLast: boolean
}

const FieldRow = ({ field, mayChange, onEdit, onMove, isFirst, isLast }: RowProps) => {
  const archive = useArchiveField()
  const back = () => archive.mutate({ id: field.id, back: true }, { onError: toast.error })
  const choices = field.choices.filter(({ gone }) => !gone)
  return (
    <li className="custom-field">
      <span className="custom-field__words">
        <b>{field.name}</b>
        <span className="hint">
          {customTypeLabels[field.type]}
          {choices.length > 0 ? `: ${choices.map(({ name }) => name).join(', ')}` : ''}
        </span>
      </span>
      {field.archivedAt ? <Badge tone="wait">Archived</Badge> : null}
      {!mayChange ? null : field.archivedAt ? (
        <Button size="s" onClick={back} loading={archive.isPending}>
          Bring back
        </Button>
      ) : (
        <span className="custom-field__do">
          {onMove ? (
            <>
              <IconButton
                size="s"
                label={`${field.name} further up`}
                icon={<IconArrowUp />}
                disabled={isFirst}
                onClick={() => onMove(-1)}
              />
              <IconButton
                size="s"
                label={`${field.name} further down`}
                icon={<IconArrowDown />}
                disabled={isLast}
                onClick={() => onMove(1)}
              />
            </>
          ) : null}
          <IconButton size="s" label={`Change ${field.name}`} icon={<IconPencil />} onClick={onEdit} />
          <IconButton
            size="s"
            label={`Archive ${field.name}`}
            icon={<IconArchive />}
            onClick={() =>
              archive.mutate(
                { id: field.id },
                {
                  onSuccess: () => toast.undo(`${field.name} is off your forms. Its values are kept`, back),
                  onError: toast.error,
                },
              )
            }
          />
        </span>
      )}
    </li>
  )
}

type ListProps = {
  record: CustomRecord
  items: readonly CustomFieldRecord[]
  onEdit: (field: CustomFieldRecord) => void
}

const FieldList = ({ record, items, onEdit }: ListProps) => {
  const mayChange = useMay()(customFieldsApi.update)
  const order = useOrderFields()
  const own = items.filter((field) => field.record === record)
  const live = own.filter(({ archivedAt }) => archivedAt === null)
  if (own.length === 0) return null
  const move = (from: number, step: -1 | 1) => {
    const ids = live.map(({ id }) => id)
    const [id] = ids.splice(from, 1)
    if (id) ids.splice(from + step, 0, id)
    order.mutate({ record, fieldIds: ids }, { onError: toast.error })
  }
  return (
    <section aria-label={titles[record]}>
      <h3>{titles[record]}</h3>
      <ul className="custom-fields">
        {[...live, ...own.filter(({ archivedAt }) => archivedAt !== null)].map((field, at) => (
          <FieldRow
            key={field.id}
            field={field}
            mayChange={mayChange}
            onEdit={() => onEdit(field)}
            isFirst={at === 0}
            isLast={at === live.length - 1}
            onMove={live.length > 1 && !order.isPending ? (step) => move(at, step) : null}
          />
        ))}
      </ul>
    </section>
  )
}

/** The fields that a business adds to its customers and properties. */
export const CustomFieldsCard = () => {
  const found = useQuery(customFieldsQuery)
  const mayAdd = useMay()(customFieldsApi.create)
  const [editing, setEditing] = useState<CustomFieldRecord | 'new' | null>(null)
  const items = found.data?.items ?? []
  return (
    <Card id="custom-fields" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Custom fields</h2>
        <p className="muted">
          What else you keep of customers and properties: irrigation, contract end, pool. They stand on the forms, can
          be columns and filters of the list, and come and go with imports and exports. At most {mostCustomFields} of
          each.
        </p>
      </div>
      {found.data ? (
        <div className="custom-fields-card">
          {items.length === 0 ? (
            <p className="muted">No fields yet.{mayAdd ? '' : ' The owner can add them.'}</p>
          ) : (
            customRecords.map((record) => <FieldList key={record} record={record} items={items} onEdit={setEditing} />)
          )}
          {mayAdd ? (
            <div>
              <Button size="s" icon={<IconPlus />} onClick={() => setEditing('new')}>
                Add a field
              </Button>
            </div>
          ) : items.length > 0 ? (
            <p className="hint">The owner can change these.</p>
          ) : null}
        </div>
      ) : found.isError ? (
        <ErrorState error={found.error} compact onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <CardSkeleton />
      )}
      {editing ? <FieldDialog field={editing === 'new' ? {} : editing} onClose={() => setEditing(null)} /> : null}
    </Card>
  )
}
