-- What the header of a video says of it. All of it is NULL for a photo, and for videos from before this migration.

ALTER TABLE photos
    ADD COLUMN duration         double precision,        -- seconds
    ADD COLUMN rotation         smallint,                -- degrees clockwise by which players turn the stored frames
    ADD COLUMN frame_rate       double precision,        -- frames a second
    ADD COLUMN picture_format   text,                    -- four characters such as avc1 (mp4ra.org)
    ADD COLUMN sound_format     text,
    ADD COLUMN plays_from_start boolean,                 -- whether the file has its tables before its media data
    ADD CONSTRAINT photos_video_facts_of_video CHECK (
        kind = 'video' OR num_nonnulls(duration, rotation, frame_rate, picture_format, sound_format, plays_from_start) = 0),
    ADD CONSTRAINT photos_duration_natural CHECK (duration >= 0 AND duration < 'infinity'),
    ADD CONSTRAINT photos_rotation_quarters CHECK (rotation IN (0, 90, 180, 270)),
    ADD CONSTRAINT photos_frame_rate_natural CHECK (frame_rate > 0 AND frame_rate < 'infinity');
