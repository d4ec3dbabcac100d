import type { ReactNode } from 'react'

/** One subject of a set-up dialog. */
export const Part = ({ title, words, children }: { title: string; words: string; children: ReactNode }) => (
  <section className="lead-setup__part">
    <header>
      <h3>{title}</h3>
      <p className="muted">{words}</p>
    </header>
    {children}
  </section>
)
