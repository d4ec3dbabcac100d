import { createContext, useContext } from 'react'
import { type PictureFiles, type PictureName, pictures } from './pictures.ts'

/** Where the build put the pictures; the document knows it, the pages between it and a picture need not. */
export const PictureContext = createContext<PictureFiles | null>(null)

/** A real screen of the product. It comes when it is scrolled to, into a place of its own size. */
export const Picture = ({ name, caption }: { name: PictureName; caption: string }) => {
  const files = useContext(PictureContext)
  const picture = pictures[name]
  const { width, height, alt } = picture
  const phone = 'phone' in picture ? picture.phone : null
  return (
    <figure className={name === 'crew' ? 'shot phone' : 'shot'}>
      <div>
        <picture>
          {phone && (
            <source media="(max-width: 640px)" srcSet={files?.[phone.file]} width={phone.width} height={phone.height} />
          )}
          <img
            src={files?.[picture.file]}
            width={width}
            height={height}
            alt={alt}
            loading="lazy"
            decoding="async"
            fetchPriority="low"
          />
        </picture>
      </div>
      <figcaption>{caption}</figcaption>
    </figure>
  )
}
