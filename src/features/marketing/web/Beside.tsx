import type { ReactNode } from 'react'

type Props = {
  title: string
  items: readonly (readonly [term: string, text: string])[]
  /** Whether they follow each other. */
  inOrder?: boolean
  children?: ReactNode
}

/** What stands beside a form, and under it on a phone: what happens next, or why it is worth filling in. */
export const Beside = ({ title, items, inOrder = false, children }: Props) => {
  const List = inOrder ? 'ol' : 'ul'
  return (
    <aside className="beside">
      <h2>{title}</h2>
      <List>
        {items.map(([term, text]) => (
          <li key={term}>
            <b>{term}</b>
            <span>{text}</span>
          </li>
        ))}
      </List>
      {children}
    </aside>
  )
}
