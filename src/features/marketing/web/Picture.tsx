import { createContext, useContext } from 'react'
import { type PictureFiles, type PictureName, pictures } from './pictures.ts'

/** Where the build put the pictures; the document knows it, the pages between it and a picture need not. */
export const PictureContext = createContext<PictureFiles | null>(null)

/** A real screen of the product. It comes when it is scrolled to, into a place of its own size. */
export const Picture = ({ name, caption }: { name: PictureName; caption: string }) => {
  const files = useContext(PictureContext)
  const { width, height, alt } = pictures[name]
  return (
    <figure className={name === 'crew' ? 'shot phone' : 'shot'}>
      <div>
        <img
          src={files?.[name]}
          width={width}
          height={height}
          alt={alt}
          loading="lazy"
          decoding="async"
          fetchPriority="low"
        />
      </div>
      <figcaption>{caption}</figcaption>
    </figure>
  )
}
