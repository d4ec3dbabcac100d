import { linkParts } from './labels.ts'

/** A text whose addresses can be clicked; they open in a new tab. */
export const LinkedText = ({ text }: { text: string }) => (
  <>
    {linkParts(text).map((part, at) =>
      part.href ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text
        <a key={at} href={part.href} target="_blank" rel="noreferrer">
          {part.text}
        </a>
      ) : (
        part.text
      ),
    )}
  </>
)
