import type { ReactNode } from 'react'
import { PageHead } from './PageHead.tsx'

export type LegalPart = { id: string; title: string; body: ReactNode }

type Props = { title: string; lead: string; seed: number; parts: readonly LegalPart[] }

/** A numbered text with its contents beside it. */
export const LegalText = ({ title, lead, seed, parts }: Props) => (
  <>
    <PageHead seed={seed} share={1} title={title} lead={lead} />
    <div className="wrap legal">
      <nav className="parts-toc" aria-label="On this page">
        <ol>
          {parts.map((part) => (
            <li key={part.id}>
              <a href={`#${part.id}`}>{part.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="legal-text">
        <p className="legal-date">Version 1, November 2026</p>
        {parts.map((part, index) => (
          <section key={part.id} id={part.id} aria-labelledby={`${part.id}-title`}>
            <h2 id={`${part.id}-title`}>
              {index + 1}. {part.title}
            </h2>
            {part.body}
          </section>
        ))}
      </div>
    </div>
  </>
)
