import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowDown, IconArrowUp } from '../../../ui/icons.ts'
import { useUser } from '../../accounts/web/session.ts'
import { chosenColumns, columnsFor } from '../columns/rules.ts'
import type { Grouping, ReportKind } from '../rules.ts'

type Props = {
  kind: ReportKind
  by: Grouping | null
  chosen: string | null
  onClose: () => void
  /** Null for those that the report begins with. */
  onSave: (columns: string | null) => void
}

/** Which columns stand in a report, in which order. */
export const ColumnsDialog = ({ kind, by, chosen, onClose, onSave }: Props) => {
  const user = useUser()
  const all = columnsFor(user, kind, by)
  const shown = chosenColumns(user, kind, by, chosen?.split(','))
  const [order, setOrder] = useState(() => [
    ...shown.map(({ id }) => id),
    ...all.filter((one) => !shown.some(({ id }) => id === one.id)).map(({ id }) => id),
  ])
  const [on, setOn] = useState(() => new Set(shown.map(({ id }) => id)))
  const move = (at: number, by: -1 | 1) =>
    setOrder((now) => {
      const next = [...now]
      const [id] = next.splice(at, 1)
      if (id) next.splice(at + by, 0, id)
      return next
    })
  const picked = order.filter((id) => on.has(id))
  return (
    <Dialog open onClose={onClose} title="Columns">
      <ol className="rp-columns">
        {order.map((id, at) => {
          const label = all.find((one) => one.id === id)?.label ?? id
          return (
            <li key={id}>
              <CheckboxField
                label={label}
                value={on.has(id)}
                onChange={(value) =>
                  setOn((now) => {
                    const next = new Set(now)
                    if (value) next.add(id)
                    else next.delete(id)
                    return next
                  })
                }
              />
              <span>
                <IconButton
                  size="s"
                  tooltip={false}
                  label={`Move ${label} up`}
                  icon={<IconArrowUp size={16} />}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  size="s"
                  tooltip={false}
                  label={`Move ${label} down`}
                  icon={<IconArrowDown size={16} />}
                  disabled={at === order.length - 1}
                  onClick={() => move(at, 1)}
                />
              </span>
            </li>
          )
        })}
      </ol>
      {picked.length === 0 ? <p role="alert">Choose at least one column.</p> : null}
      <FormActions>
        <Button kind="primary" disabled={picked.length === 0} onClick={() => onSave(picked.join(','))}>
          Show these
        </Button>
        <Button kind="quiet" onClick={() => onSave(null)}>
          As it begins
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Dialog>
  )
}
