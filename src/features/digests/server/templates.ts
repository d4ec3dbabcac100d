import { absoluteUrl } from '../../../platform/links.ts'
import {
  button,
  heading,
  item,
  paragraph,
  small,
  type WrittenLetter,
  writeLetter,
} from '../../../platform/mail/letter.ts'
import { brand } from '../../../shared/brand.ts'
import { counted } from '../../../shared/counted.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'
import { officeTopics } from '../../push/contract.ts'
import { topicWords } from '../../push/topics/rules.ts'

/** So many stand in one mail. */
export const mostInDigest = 100

type News = { title: string; content: string; path: string | null; topic: string | null; createdAt: string }

/** A mail with what somebody has not read by its kinds, what needs them first, and of each the newest first. @param more how many wait for the next one */
export const digestMail = (
  person: { name: string; business: string },
  { news, more }: { news: readonly News[]; more: number },
  timeZone: string,
): WrittenLetter & { subject: string } => {
  const kinds = Map.groupBy(news, ({ topic }) => officeTopics.find((one) => one === topic) ?? 'other')
  const parts = officeTopics.flatMap((topic) => {
    const own = kinds.get(topic) ?? []
    return own.length === 0
      ? []
      : [
          heading(topicWords[topic].name),
          ...own.map(({ title, content, path, createdAt }) => {
            const when = `${formatDay(dayOf(createdAt, timeZone))}, ${formatTime(createdAt, timeZone)}`
            return item(title, [content, when].filter(Boolean).join(' · '), path ? absoluteUrl(path) : null)
          }),
        ]
  })
  return {
    subject: `${counted(news.length + more, 'thing')} you have not read, ${person.business}`,
    ...writeLetter({
      from: brand.name,
      parts: [
        paragraph(`Hello ${firstNameOf(person.name)}, this is what you have not read of ${person.business}.`),
        ...parts,
        ...(more > 0
          ? [
              paragraph(
                `${counted(more, 'more thing')}, newer than these, ${more === 1 ? 'stands' : 'stand'} in the next mail.`,
              ),
            ]
          : []),
        button(`Open ${brand.name}`, absoluteUrl(paths.home)),
        small('You chose the hour of this mail, and can change it or end it, under Profile, You, What you hear of.'),
      ],
    }),
  }
}
