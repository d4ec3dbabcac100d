import type { ReactNode } from 'react'
import './field.css'

/** What to know at a stop: mow height, budget, where to park. Empty ones are left out. */
export const FieldFacts = ({
  items,
}: {
  items: readonly ({ label: string; value: ReactNode } | null | false | undefined)[]
}) => (
  <dl className="f-kv">
    {items.map((item) =>
      item && item.value !== null && item.value !== undefined && item.value !== '' ? (
        <div key={item.label}>
          <dt>{item.label}</dt>
          <dd>{item.value}</dd>
        </div>
      ) : null,
    )}
  </dl>
)
