import { brand } from '../../../shared/brand.ts'
import { telHref } from '../rules.ts'
import { faqGroups } from './faq.ts'
import { PageHead } from './PageHead.tsx'

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-')

export const FaqPage = () => (
  <>
    <PageHead
      seed={63}
      share={0.8}
      title="Questions owners ask."
      lead="Short answers. If yours is not here, write or call, and it will be."
    />
    <div className="wrap faq">
      {faqGroups.map(({ title, questions }) => (
        <section key={title} aria-labelledby={slug(title)}>
          <h2 id={slug(title)}>{title}</h2>
          <div>
            {questions.map(({ question, answer }) => (
              <details key={question}>
                <summary>{question}</summary>
                {answer.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </details>
            ))}
          </div>
        </section>
      ))}
      <p className="faq-end">
        Another question? <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a> or{' '}
        <a href={telHref(brand.supportPhone)}>{brand.supportPhone}</a>.
      </p>
    </div>
  </>
)
