import type { ReactNode } from 'react'
import './KeyValue.css'

type Pair = { label: ReactNode; value: ReactNode } | null | false | undefined

/** Facts of a record. An empty value is left out unless `showEmpty`. */
export const KeyValue = ({
  items,
  showEmpty,
  labelWidth = 132,
}: {
  items: readonly Pair[]
  showEmpty?: boolean
  labelWidth?: number
}) => (
  <dl className="ui-kv" style={{ '--kv': `${labelWidth}px` } as never}>
    {items.map((item, index) => {
      if (!item) return null
      const empty = item.value === null || item.value === undefined || item.value === ''
      if (empty && !showEmpty) return null
      return (
        <div key={typeof item.label === 'string' ? item.label : index}>
          <dt>{item.label}</dt>
          <dd>{empty ? <span className="hint">–</span> : item.value}</dd>
        </div>
      )
    })}
  </dl>
)
