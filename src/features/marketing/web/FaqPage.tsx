import { brand } from '../../../shared/brand.ts'
import { telHref } from '../rules.ts'
import { faqGroups } from './faq.ts'
import { PageHead } from './PageHead.tsx'

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/** The first of each part. */
const asked = faqGroups.flatMap(({ questions }) => questions.slice(0, 1)).slice(0, 4)

export const FaqPage = () => (
  <>
    <PageHead
      seed={63}
      art={
        <ul className="art-asked" aria-label="Asked first">
          {asked.map(({ question }) => (
            <li key={question}>
              <a href={`#${slug(question)}`}>{question}</a>
            </li>
          ))}
        </ul>
      }
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
                {answer.map((paragraph, index) => (
                  <p key={paragraph} id={index === 0 ? slug(question) : undefined}>
                    {paragraph}
                  </p>
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
