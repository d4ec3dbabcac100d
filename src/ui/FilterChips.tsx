import type { ReactNode } from 'react'
import './FilterChips.css'
import { IconCheck } from './icons.ts'

export type Chip<V extends string = string> = {
  value: V
  label: ReactNode
  count?: number
  /** What the count leaves out, in words: "+ 1 snoozed". */
  aside?: string
}
type Props<V extends string> = {
  label: string
  chips: readonly Chip<V>[]
  onChange: (values: V[]) => void
  values: readonly V[]
  single?: boolean
}

/** Filters as chips that are on or off. `single` keeps at most one on. */
export const FilterChips = <V extends string>({ label, chips, values, onChange, single }: Props<V>) => (
  <fieldset className="ui-chips">
    <legend className="ui-hidden">{label}</legend>
    {chips.map((chip) => {
      const on = values.includes(chip.value)
      return (
        <button
          key={chip.value}
          type="button"
          className="ui-chip"
          aria-pressed={on}
          onClick={() =>
            onChange(
              on ? values.filter((value) => value !== chip.value) : single ? [chip.value] : [...values, chip.value],
            )
          }
        >
          {on ? <IconCheck size={15} stroke={2.5} aria-hidden="true" /> : null}
          {chip.label}
          {chip.count === undefined ? null : <span className="num ui-chip__count">{chip.count}</span>}
          {chip.aside ? <span className="num ui-chip__count">{chip.aside}</span> : null}
        </button>
      )
    })}
  </fieldset>
)
