import type { ReactNode } from 'react'

type Props = {
  id: string
  title: string
  items: readonly (readonly [term: string, text: string])[]
  three?: boolean
  children?: ReactNode
}

/** A heading and short answers side by side. */
export const Pairs = ({ id, title, items, three = false, children }: Props) => (
  <section className={three ? 'wrap pairs three' : 'wrap pairs'} aria-labelledby={id}>
    <h2 id={id} className="h-big">
      {title}
    </h2>
    <dl>
      {items.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
    {children}
  </section>
)
