import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { IconPlus, IconX } from '../../../../ui/icons.ts'
import { lazyPart } from '../../../../ui/lazyAhead.tsx'
import { type CustomFilter, customFilterLabel, mostCustomFilters, writeCustomFilters } from '../rules.ts'
import { useCustomFields } from './data.ts'
import './custom.css'

const FilterDialog = lazyPart(() => import('./FilterDialog.tsx').then((m) => m.FilterDialog))

type Props = { filters: readonly CustomFilter[]; onChange: (text: string | null) => void }

/** Filters by custom fields: those that are on as chips to take off, and a way to one more. */
export const CustomFilters = ({ filters, onChange }: Props) => {
  const fields = useCustomFields()
  const [adding, setAdding] = useState(false)
  if (fields.length === 0) return null
  const set = (next: readonly CustomFilter[]) => onChange(next.length > 0 ? writeCustomFilters(next) : null)
  return (
    <span className="custom-filters">
      {filters.map((one) => {
        const field = fields.find(({ id }) => id === one.fieldId)
        if (!field) return null
        const label = customFilterLabel(field, one)
        return (
          <button
            key={`${one.fieldId}.${one.op}.${one.value}`}
            type="button"
            className="ui-chip"
            aria-pressed="true"
            title="Take this filter off"
            onClick={() => set(filters.filter((other) => other !== one))}
          >
            {label}
            <IconX size={14} aria-hidden="true" />
          </button>
        )
      })}
      {filters.length < mostCustomFilters ? (
        <Button size="s" kind="quiet" icon={<IconPlus />} onClick={() => setAdding(true)}>
          More filters
        </Button>
      ) : null}
      {adding ? (
        <FilterDialog
          fields={fields}
          onClose={() => setAdding(false)}
          onAdd={(added) =>
            set(
              [...filters, ...added].filter(
                (one, at, all) =>
                  all.findIndex((o) => o.fieldId === one.fieldId && o.op === one.op && o.value === one.value) === at,
              ),
            )
          }
        />
      ) : null}
    </span>
  )
}
